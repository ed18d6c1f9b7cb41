import { mergeDeployments } from '@sluice/deploy'
import type { Deployments } from '@sluice/domain'
import { account } from './account.js'
import { chainSpecs, usualChainIds, withSlu } from './chains.js'
import { DevnetError } from './errors.js'
import { startMarketData } from './marketData/startMarketData.js'
import type { NodeKind } from './nodes/ChainNode.js'
import { type DevnetChain, type RunningChain, startChain } from './startChain.js'

/** The running development chains. */
export type Devnet = {
  readonly chains: readonly DevnetChain[]
  /** Addresses of the protocol, in the format of the deploy command's output file. */
  readonly deployments: Deployments.Deployments
  /** URL of the market data of these chains, in Dexscreener's format. */
  readonly marketUrl: string
  /** The funded development account; its key is public. */
  readonly account: typeof account
  /** Stops every node, and resolves once all have ended. */
  stop(): Promise<void>
}

/** Which chains to start, and how. */
export type StartDevnetOptions = {
  /** Port of the first chain; the others follow. 0 picks free ports. @default 8545 */
  port?: number | undefined
  /** Chains to start. @default all except Robinhood Chain */
  chainIds?: readonly number[] | undefined
  /** Seed of all prices and depths. @default 1 */
  seed?: number | undefined
  /** Milliseconds between blocks, a multiple of 1,000. If unset, each transaction gets a block. */
  blockTimeMs?: number | undefined
  /** Whether the protocol is deployed. @default true */
  isDeployed?: boolean | undefined
  /**
   * Chains beside Base that get the protocol's token, which 2.0.0 needs. The manifest has that token on Base alone.
   *
   * @default none
   */
  sluChainIds?: readonly number[] | undefined
  /** Keeps the state of all blocks. Anvil forgets that of old ones otherwise. @default false */
  keepsHistory?: boolean | undefined
  /** Node implementation. @default "anvil" */
  node?: NodeKind | undefined
}

/** Starts the chains in parallel, with pools and the deployed protocol. If one fails, stops all of them. */
export async function startDevnet(options: StartDevnetOptions = {}): Promise<Devnet> {
  const {
    port = 8545,
    seed = 1,
    blockTimeMs,
    isDeployed = true,
    keepsHistory,
    node = 'anvil',
    sluChainIds = [],
    chainIds = usualChainIds,
  } = options
  if (blockTimeMs !== undefined && (blockTimeMs <= 0 || blockTimeMs % 1_000 !== 0))
    throw new DevnetError(
      'BAD_OPTION',
      'The block time must be a positive number of whole seconds.',
    )
  const specs = chainIds
    .map(specOf)
    .map((spec) => (sluChainIds.includes(spec.chainId) ? withSlu(spec) : spec))
  const starts = await Promise.allSettled(
    specs.map((spec, index) =>
      startChain(spec, {
        node,
        port: port === 0 ? 0 : port + index,
        seed,
        blockTimeMs,
        isDeployed,
        keepsHistory,
      }),
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
