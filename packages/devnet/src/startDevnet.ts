import { mergeDeployments } from '@sluice/deploy'
import type { Deployments } from '@sluice/domain'
import { account } from './account.js'
import { chainSpecs } from './chains.js'
import { DevnetError } from './errors.js'
import { startMarketData } from './marketData/startMarketData.js'
import type { NodeKind } from './nodes/ChainNode.js'
import { type DevnetChain, type RunningChain, startChain } from './startChain.js'

/** The running development chains. */
export type Devnet = {
  readonly chains: readonly DevnetChain[]
  /** Where the protocol stands, as the deploy command writes it. */
  readonly deployments: Deployments.Deployments
  /** Where market data of these chains is served, in Dexscreener's shapes. */
  readonly marketUrl: string
  /** The funded development account; its key is public. */
  readonly account: typeof account
  /** Ends every node and resolves when nothing is left. */
  stop(): Promise<void>
}

/** Which chains to start, and where. */
export type StartDevnetOptions = {
  /** Port of the first chain; the others follow. 0 takes free ones. @default 8545 */
  port?: number | undefined
  /** Chains to start. @default all four */
  chainIds?: readonly number[] | undefined
  /** Every price and depth follows from it. @default 1 */
  seed?: number | undefined
  /** Whole seconds. Unset: a block for each transaction. */
  blockTimeMs?: number | undefined
  /** What the chains run on. @default "anvil" */
  node?: NodeKind | undefined
}

/** Starts the chains side by side, furnished and with the protocol deployed. Ends all of them when one fails. */
export async function startDevnet(options: StartDevnetOptions = {}): Promise<Devnet> {
  const {
    port = 8545,
    seed = 1,
    blockTimeMs,
    node = 'anvil',
    chainIds = chainSpecs.map((spec) => spec.chainId),
  } = options
  if (blockTimeMs !== undefined && (blockTimeMs <= 0 || blockTimeMs % 1_000 !== 0))
    throw new DevnetError(
      'BAD_OPTION',
      'The block time must be a positive number of whole seconds.',
    )
  const specs = chainIds.map(specOf)
  const starts = await Promise.allSettled(
    specs.map((spec, index) =>
      startChain(spec, { node, port: port === 0 ? 0 : port + index, seed, blockTimeMs }),
    ),
  )
  const running = starts.flatMap((start): RunningChain[] =>
    start.status === 'fulfilled' ? [start.value] : [],
  )
  const stopNodes = async () => {
    await Promise.all(running.map((each) => each.node.stop()))
  }
  const failed = starts.find((start) => start.status === 'rejected')
  if (failed) {
    await stopNodes()
    throw failed.reason
  }
  const deployments = running
    .map((each) => each.deployments)
    .reduce(mergeDeployments, { schema: 1, chains: {} })
  const market = await startMarketData(running.map(({ reported }) => reported))
  return {
    chains: running.map(({ chain }) => chain),
    deployments,
    marketUrl: market.url,
    account,
    async stop() {
      await market.stop()
      await stopNodes()
    },
  }
}

function specOf(chainId: number) {
  const spec = chainSpecs.find((candidate) => candidate.chainId === chainId)
  if (spec) return spec
  const known = chainSpecs.map((candidate) => candidate.chainId).join(', ')
  throw new DevnetError('BAD_OPTION', `The devnet has no chain ${chainId}; it has ${known}.`)
}
