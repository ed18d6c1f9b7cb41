import type { AskNode } from '../logs/AskNode.js'
import { LogsError } from '../logs/LogsError.js'
import { findFirstBlock } from './findFirstBlock.js'
import { routersText, type SwapChain } from './SwapStats.js'
import type { SwapStore } from './SwapStore.js'

/**
 * Returns the first block of a chain's index. Restarts the index if the Routers or the wanted first block have changed.
 *
 * @param wanted First block to use instead of searching for the creation of the first Router.
 * @returns `undefined` if no Router has code.
 * @throws LogsError if the node does not answer or serves another chain.
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

/**
 * Checks the chain id: the same Router addresses can exist on every chain, so a mistyped URL would count another
 * chain's swaps.
 */
async function demandChain(ask: AskNode, chainId: number): Promise<void> {
  const [outcome] = await ask([{ method: 'eth_chainId', params: [] }])
  if (!outcome!.ok) throw new LogsError('unreachable', 'The node does not return its chain id.')
  if (Number(outcome!.result) !== chainId)
    throw new LogsError('inconsistent', 'The node serves another chain.')
}
