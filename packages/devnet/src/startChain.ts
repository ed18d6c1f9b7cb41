import { type Deployments, VenueKind } from '@sluice/domain'
import type { Address, Hex } from 'viem'
import { account } from './account.js'
import type { ChainSpec } from './chains.js'
import { installChain, openChain } from './furnishChain.js'
import { marketOf, type PoolKind, type PoolSpec, tokensOf, venueKindOf } from './market.js'
import type { ReportedSpec } from './marketData/readReserves.js'
import type { ReportedChain } from './marketData/reportPairs.js'
import type { ChainNode, NodeKind } from './nodes/ChainNode.js'
import { startNode } from './nodes/startNode.js'
import { openSecondGeneration } from './openSecondGeneration.js'
import type { Converters } from './seedConverters.js'
import type { ImitatedPools } from './seedImitations.js'

/** A running development chain, as its clients see it. */
export type DevnetChain = {
  readonly chainId: number
  readonly name: string
  readonly rpcUrl: string
  readonly tokens: Readonly<Record<string, { address: Address; decimals: number; usd: number }>>
  readonly pools: readonly DevnetPool[]
  /** Pools that only pool hints find, by the name of their venue. */
  readonly hinted: Readonly<Record<string, Hex>>
  /** Contracts that exchange two tokens at one price, and USDS, which only they trade; if the chain has any. */
  readonly converters: Converters | undefined
  /** Pools of venues that contracts of this repository imitate, by the name of their venue: addresses, or what pool hints say of them. */
  readonly imitated: ImitatedPools
  /** Names of the venues, in the order of their numbers in the Hub. */
  readonly venues: readonly string[]
  /** The chain's config, in the format of the config files of real chains. */
  readonly configFile: object
}

/** A pool of a development chain. */
export type DevnetPool = {
  readonly address: Address
  readonly kind: PoolKind
  /** The first two of its tokens. */
  readonly token0: string
  readonly token1: string
  /** All tokens, in the pool's order. */
  readonly tokens: readonly string[]
  readonly feePips: number
}

export type RunningChain = {
  readonly node: ChainNode
  readonly chain: DevnetChain
  readonly deployments: Deployments.Deployments
  /** Data from which its market data is computed. */
  readonly reported: ReportedChain
}

/** Starts one chain, sets up contracts, tokens and pools, and deploys the protocol if asked. */
export async function startChain(
  spec: ChainSpec,
  options: {
    node: NodeKind
    port: number
    seed: number
    isDeployed: boolean
    blockTimeMs?: number | undefined
    keepsHistory?: boolean | undefined
  },
): Promise<RunningChain> {
  const { blockTimeMs, isDeployed, keepsHistory, port, seed } = options
  const node = await startNode(options.node, {
    chainId: spec.chainId,
    port,
    keepsHistory,
    install: (rpc) => installChain(rpc, spec, account),
  })
  const { rpc } = node
  try {
    const pools = marketOf(spec, { seed })
    const furnished = await openChain(rpc, spec, { pools, account, isDeployed })
    const { addresses, config, configFile, converters, hinted, imitated } = furnished
    const deployments = isDeployed
      ? await openSecondGeneration(rpc, spec, { ...furnished, account })
      : furnished.deployments
    if (blockTimeMs) await node.mineEvery(blockTimeMs)
    const chain: DevnetChain = {
      chainId: spec.chainId,
      name: spec.name,
      rpcUrl: node.rpcUrl,
      tokens: Object.fromEntries(
        spec.tokens.map(({ symbol, address, decimals, usd }) => [
          symbol,
          { address, decimals, usd },
        ]),
      ),
      pools: pools.map((pool, index) => ({
        address: addresses[index]!,
        kind: pool.kind,
        token0: pool.token0.symbol,
        token1: pool.token1.symbol,
        tokens: tokensOf(pool).map(({ symbol }) => symbol),
        feePips: pool.feePips,
      })),
      hinted: hinted ?? {},
      converters,
      imitated,
      venues: config.venues.map(({ id }) => id),
      configFile,
    }
    const placed = pools.flatMap((spec, index) =>
      isReported(spec) ? [{ spec, address: addresses[index]! }] : [],
    )
    return { node, chain, deployments, reported: { spec, rpc, pools: placed } }
  } catch (error) {
    await node.stop()
    throw error
  }
}

/** Whether market data reports the pool: all except Balancer's, which the Vault holds under its own ids. */
function isReported(spec: PoolSpec): spec is ReportedSpec {
  const kind = venueKindOf(spec)
  return !(VenueKind.has(kind, 'listed') && VenueKind.has(kind, 'shared'))
}
