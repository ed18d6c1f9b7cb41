import type { AskNode } from '../logs/AskNode.js'
import { LogsError } from '../logs/LogsError.js'
import { findFirstBlock } from './findFirstBlock.js'
import { routersText, type SwapChain } from './SwapStats.js'
import type { SwapStore } from './SwapStore.js'

/**
 * Where the index of a chain begins. Begins it anew if it is of other Routers, or of another block than is wanted.
 *
 * @param wanted In place of a search for the block in which the first Router was created.
 * @returns `undefined` if no Router has code.
 * @throws LogsError if the node does not answer, or is of another chain.
 */
export async function beginChain(
  { chainId, routers: contracts }: SwapChain,
  options: { ask: AskNode; store: SwapStore; wanted: number | undefined },
): Promise<number | undefined> {
  const { ask, store, wanted } = options
  await demandChain(ask, chainId)
  const routers = routersText({ routers: contracts })
  const known = await store.chain(chainId)
  if (known?.routers === routers && known.firstBlock === (wanted ?? known.firstBlock))
    return known.firstBlock
  const addresses = contracts.map(({ address }) => address)
  const firstBlock = wanted ?? (await findFirstBlock(ask, addresses))
  if (firstBlock !== undefined) await store.begin(chainId, { routers, firstBlock })
  return firstBlock
}

/** The same Routers can stand on every chain, so a mistyped setting would count another chain's swaps. */
async function demandChain(ask: AskNode, chainId: number): Promise<void> {
  const [outcome] = await ask([{ method: 'eth_chainId', params: [] }])
  if (!outcome!.ok)
    throw new LogsError('unreachable', 'The node does not say which chain it is of.')
  if (Number(outcome!.result) !== chainId)
    throw new LogsError('inconsistent', 'The node is of another chain.')
}
