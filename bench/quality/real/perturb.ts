import {
  nestedRanges,
  type PoolSpec,
  type Range,
  rounded,
  sqrtPriceX96,
  type TokenSpec,
} from '@sluice/devnet'
import { getAddress } from 'viem'
import { isPair, type Market, type Pair, type Several } from '../../optimizer/Market.js'
import * as Random from '../../optimizer/Random.js'
import { canStand, concentratedSorts, keyOf, MOST_TICK } from '../made/drawPools.js'

/** Share of the pools that are removed. */
const REMOVED = 0.15
/** Maximum factor by which the depth of a pool grows or shrinks. */
const MOST_DEPTH = 6
/** Maximum relative change of a price. */
const MOST_MOVE = 0.004
/** Shares of constant-product pools that become concentrated, and of concentrated pools that change venue or fee. */
const CONCENTRATED = 0.35
const ELSEWHERE = 0.6
/** Ranges of a pool that becomes concentrated: their number, and their half-widths as factors on the price. */
const RANGES = { count: 5, narrowest: 1.02, widest: 40 }

type Sort = (typeof concentratedSorts)[number]
const sorts = concentratedSorts.filter(({ kind }) =>
  ['uniswapV3', 'pancakeV3', 'uniswapV4'].includes(kind),
)

/** Concentrated liquidity before it has a venue: the price of token0 in token1, in base units. */
type Liquidity = { price: number; ranges: readonly Range[] }

/**
 * Creates a realistic variation of a market: some pools are removed, others get deeper or shallower, prices move within
 * and across ticks, concentrated pools move to other venues and fees with ticks that fit the new spacing, and some
 * constant-product pools become concentrated. A second constant-product pool of a pair moves to another venue. Pools of
 * three tokens are left out; other sets have them.
 */
export function perturb(
  random: Random.Random,
  { pools, tokens: named }: Market,
): { tokens: TokenSpec[]; pools: PoolSpec[] } {
  const tokens = Object.entries(named).map(
    ([address, token]): TokenSpec => ({ ...token, address: getAddress(address) }),
  )
  const at = (address: string) => tokens.find((token) => token.address === getAddress(address))!
  const perturbed = new Map<string, PoolSpec>()
  for (const pool of pools) {
    // One random number per pool as its own seed, so that a removed pool does not change the others.
    const own = Random.from(Math.floor(random() * 2 ** 32))
    if (own() < REMOVED) continue
    if (!isPair(pool) && pool.tokens.length > 2) continue
    const candidates = isPair(pool) ? pairs(own, pool, at) : [severalOf(own, pool, at)]
    const found = candidates.find((spec) => canStand(spec) && !perturbed.has(keyOf(spec)))
    if (found) perturbed.set(keyOf(found), found)
  }
  return { tokens, pools: [...perturbed.values()] }
}

/** Returns candidates for the changed pool; the second is used if the first already exists. */
function pairs(random: Random.Random, pool: Pair, at: (address: string) => TokenSpec): PoolSpec[] {
  const [token0, token1] = [at(pool.token0), at(pool.token1)]
  const depth = Random.between(random, 1 / MOST_DEPTH, MOST_DEPTH)
  const move = 1 + (2 * random() - 1) * MOST_MOVE
  const sort = Random.pick(random, sorts)
  if (pool.kind === 'v3') {
    const own = concentratedSorts.find(
      ({ feePips, kind }) => kind === 'uniswapV3' && feePips === pool.fee,
    )
    const chosen = !own || random() < ELSEWHERE ? sort : own
    const price = (Number(pool.sqrtPriceX96) / 2 ** 96) ** 2 * move
    const ranges = scaled(rangesOf(pool.ticks), depth)
    return [concentrated(token0, token1, { price, ranges }, chosen)]
  }
  const [amount0, amount1] = [Number(pool.reserve0) * depth, Number(pool.reserve1) * depth * move]
  const price = amount1 / amount0
  if (random() < CONCENTRATED) {
    const drawer = {
      next: random,
      between: (low: number, high: number) => low + (high - low) * random(),
    }
    const ranges = nestedRanges(drawer, { ...RANGES, price, value: 2 * amount1, tickSpacing: 1 })
    return [concentrated(token0, token1, { price, ranges }, sort)]
  }
  const spec = {
    token0,
    token1,
    feePips: 3000,
    amount0: rounded(amount0),
    amount1: rounded(amount1),
  } as const
  return [
    { ...spec, kind: 'uniswapV2' },
    { ...spec, kind: 'solidly', stable: false },
  ]
}

function severalOf(
  random: Random.Random,
  pool: Several,
  at: (address: string) => TokenSpec,
): PoolSpec {
  const tokens = pool.tokens.map(at)
  const depth = Random.between(random, 1 / MOST_DEPTH, MOST_DEPTH)
  const common = {
    token0: tokens[0]!,
    token1: tokens[1]!,
    tokens,
    amounts: pool.balances.map((balance) =>
      rounded(Number(balance) * depth * (1 + (2 * random() - 1) * MOST_MOVE)),
    ),
    feePips: pool.fee,
  }
  if (pool.kind === 'stable')
    return {
      ...common,
      kind: pool.feeOn === 'in' ? 'balancerStable' : 'curve',
      weights: [],
      amplification: pool.A,
    }
  const weights = pool.weights.map(
    (weight) => BigInt(Math.round(Number(weight) * 1e6)) * 10n ** 12n,
  )
  return { ...common, kind: 'balancerWeighted', weights, amplification: 0 }
}

/** Converts ticks to positions with the same liquidity at every price. The range opened last is closed first. */
function rangesOf(ticks: readonly (readonly [number, string])[]): Range[] {
  const open: { tick: number; liquidity: bigint }[] = []
  const ranges: Range[] = []
  for (const [tick, net] of ticks) {
    let left = BigInt(net)
    if (left > 0n) open.push({ tick, liquidity: left })
    while (left < 0n) {
      const last = open.at(-1)!
      const isClosed = last.liquidity < -left
      const liquidity = isClosed ? last.liquidity : -left
      ranges.push({ tickLower: last.tick, tickUpper: tick, liquidity })
      last.liquidity -= liquidity
      left += liquidity
      if (last.liquidity === 0n) open.pop()
    }
  }
  return ranges
}

function scaled(ranges: readonly Range[], depth: number): Range[] {
  return ranges.map((range) => ({ ...range, liquidity: rounded(Number(range.liquidity) * depth) }))
}

/** Puts liquidity into a pool of a venue: fits it to the tick spacing, and orders the tokens if one is native. */
function concentrated(
  token0: TokenSpec,
  token1: TokenSpec,
  liquidity: Liquidity,
  sort: Sort,
): PoolSpec {
  const isFlipped = sort.native && token1.symbol === 'WETH'
  if (sort.native && !isFlipped && token0.symbol !== 'WETH')
    return concentrated(token0, token1, liquidity, { ...sort, native: false } as Sort)
  const { price, ranges } = isFlipped ? flipped(liquidity) : liquidity
  const [first, second] = isFlipped ? [token1, token0] : [token0, token1]
  const pool = { token0: first, token1: second, sqrtPriceX96: sqrtPriceX96(price) }
  return { ...sort, ...pool, ranges: fitted(ranges, sort.tickSpacing) }
}

function flipped({ price, ranges }: Liquidity): Liquidity {
  return {
    price: 1 / price,
    ranges: ranges.map(({ liquidity, tickLower, tickUpper }) => ({
      tickLower: -tickUpper,
      tickUpper: -tickLower,
      liquidity,
    })),
  }
}

/** Widens ranges to the tick spacing, and merges equal ones. */
function fitted(ranges: readonly Range[], spacing: number): Range[] {
  const most = Math.floor((MOST_TICK - 1) / spacing) * spacing
  const byEnds = new Map<string, Range>()
  for (const range of ranges) {
    const tickLower = Math.max(-most, Math.floor(range.tickLower / spacing) * spacing)
    const tickUpper = Math.min(most, Math.ceil(range.tickUpper / spacing) * spacing)
    const ends = `${tickLower},${tickUpper}`
    const liquidity = range.liquidity + (byEnds.get(ends)?.liquidity ?? 0n)
    byEnds.set(ends, { tickLower, tickUpper, liquidity })
  }
  return [...byEnds.values()]
}
