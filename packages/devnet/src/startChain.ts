import type { Deployments } from '@sluice/domain'
import type { Address, Hex } from 'viem'
import { type Anvil, startAnvil } from './anvil.js'
import type { ChainSpec } from './chains.js'
import { furnishChain } from './furnishChain.js'
import { marketOf, type PoolKind, type PoolSpec, tokensOf } from './market.js'
import type { ReportedSpec } from './marketData/readReserves.js'
import type { ReportedChain } from './marketData/reportPairs.js'
import { openSecondGeneration } from './openSecondGeneration.js'

/** Anvil's first account: its key is public, so it must never hold anything of value. */
export const account = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
} as const satisfies { address: Address; privateKey: Hex }

export type DevnetChain = {
  readonly chainId: number
  readonly name: string
  readonly rpcUrl: string
  readonly tokens: Readonly<Record<string, { address: Address; decimals: number; usd: number }>>
  readonly pools: readonly DevnetPool[]
  /** Names of the venues, in the order of their numbers in the Hub. */
  readonly venues: readonly string[]
}

export type DevnetPool = {
  readonly address: Address
  readonly kind: PoolKind
  /** The first two of its tokens. */
  readonly token0: string
  readonly token1: string
  /** All of them, in the order in which the pool counts them. */
  readonly tokens: readonly string[]
  readonly feePips: number
}

export type RunningChain = {
  readonly anvil: Anvil
  readonly chain: DevnetChain
  readonly deployments: Deployments.Deployments
  /** What its market data is computed from. */
  readonly reported: ReportedChain
}

/** Starts one chain, furnishes it with contracts, tokens and pools, and deploys the protocol. */
export async function startChain(
  spec: ChainSpec,
  { port, seed, blockTimeMs }: { port: number; seed: number; blockTimeMs?: number | undefined },
): Promise<RunningChain> {
  const anvil = await startAnvil({ chainId: spec.chainId, port })
  const { rpc } = anvil
  try {
    const pools = marketOf(spec, { seed })
    const furnished = await furnishChain(rpc, spec, { pools, account })
    const { addresses, config } = furnished
    const deployments = await openSecondGeneration(rpc, spec, { ...furnished, account })
    if (blockTimeMs) await rpc.request('evm_setIntervalMining', [blockTimeMs / 1_000])
    const chain: DevnetChain = {
      chainId: spec.chainId,
      name: spec.name,
      rpcUrl: anvil.rpcUrl,
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
      venues: config.venues.map(({ id }) => id),
    }
    const placed = pools.flatMap((spec, index) =>
      isReported(spec) ? [{ spec, address: addresses[index]! }] : [],
    )
    return { anvil, chain, deployments, reported: { spec, rpc, pools: placed } }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

/** All but what one contract holds for many pools that it names itself. */
function isReported(spec: PoolSpec): spec is ReportedSpec {
  return spec.kind !== 'balancerWeighted' && spec.kind !== 'balancerStable'
}
