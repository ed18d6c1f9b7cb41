import { type Address, encodeAbiParameters, keccak256, zeroAddress } from 'viem'
import type { ChainConfig } from '../../parseChainConfig.js'
import type { Bench } from '../Bench.js'
import { type FoundPool, findPools } from '../findPools.js'
import { pairsOf } from '../pairs.js'
import type { Ask } from '../TrialCalls.js'
import type { Source } from './swapEvents.js'

/** Tokens of a swap whose pairs are looked at: two on each of three hops. */
const maxTokens = 5
const keyParameters = ['address', 'address', 'uint24', 'int24', 'address'].map((type) => ({ type }))

/**
 * Pools of a swap that the Finder does not find by the pairs of the swap's tokens: of other venues or tiers.
 * All are taken to be found if it gives no answer.
 */
export async function findUncovered(
  ask: Ask,
  bench: Bench,
  {
    config,
    sources,
    tokens,
  }: { config: ChainConfig; sources: readonly Source[]; tokens: readonly Address[] },
): Promise<readonly Source[]> {
  const pairs = pairsOf(tokens.slice(0, maxTokens))
  const shared = sources.filter(({ isShared }) => isShared)
  const hints = pairs.flatMap((pair) => shared.map(({ pool }) => ({ pair, pool })))
  const { pools, unanswered } = await findPools(ask, bench, { pairs, hints })
  if (unanswered > 0) return []
  const found = new Set(pools.map((pool) => nameOf(pool, config).toLowerCase()))
  return sources.filter(({ pool }) => !found.has(pool.toLowerCase()))
}

/** How a log names the pool: pools of Uniswap V4 by their id, the hash of their key. */
function nameOf({ key, pair, pool, venue }: FoundPool, config: ChainConfig): string {
  const { kind } = config.venues[venue - 1]!
  if (kind !== 'uniswapV4') return pool
  const isNative = ((key >> 47n) & 1n) === 1n
  const other = pair.find((token) => token !== config.wrappedNative)!
  const [currency0, currency1] = isNative ? [zeroAddress, other] : pair
  const [fee, tickSpacing] = [key & 0xff_ffffn, (key >> 24n) & 0x7f_ffffn]
  return keccak256(
    encodeAbiParameters(keyParameters, [currency0, currency1, fee, tickSpacing, zeroAddress]),
  )
}
