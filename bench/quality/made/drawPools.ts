import {
  type ChainSpec,
  type PoolSpec,
  type Range,
  rounded,
  sqrtPriceX96,
  type TokenSpec,
} from '@sluice/devnet'
import * as Random from '../../optimizer/Random.js'
import { peersOf } from './drawSpec.js'

/** Depth of a pool in USD, from dust to deep. */
const [LEAST_DEPTH, MOST_DEPTH] = [1e3, 1e8]
/** Maximum relative deviation of prices from the common price. */
const SKEW = 0.015
/** Number of nested ranges of a concentrated pool. */
const RANGES = 7
/** Limits of the pools' own integers. */
const [MOST_LIQUIDITY, MOST_RESERVE] = [2n ** 100n, 2n ** 108n]
/** Maximum absolute tick of pools. */
export const MOST_TICK = 887_200
const LOG_TICK = Math.log1p(0.0001)

type Draw = (random: Random.Random, spec: ChainSpec, maxTokens: number) => PoolSpec

/** Types of concentrated pools, with their fees and tick spacings. */
export const concentratedSorts = [
  { kind: 'uniswapV3', native: false, feePips: 100, tickSpacing: 1 },
  { kind: 'uniswapV3', native: false, feePips: 500, tickSpacing: 10 },
  { kind: 'uniswapV3', native: false, feePips: 3000, tickSpacing: 60 },
  { kind: 'uniswapV3', native: false, feePips: 10_000, tickSpacing: 200 },
  { kind: 'pancakeV3', native: false, feePips: 500, tickSpacing: 10 },
  { kind: 'pancakeV3', native: false, feePips: 2500, tickSpacing: 50 },
  { kind: 'slipstream', native: false, feePips: 500, tickSpacing: 100 },
  { kind: 'algebra', native: false, feePips: 500, tickSpacing: 60 },
  { kind: 'uniswapV4', native: false, feePips: 500, tickSpacing: 10 },
  { kind: 'uniswapV4', native: false, feePips: 3000, tickSpacing: 60 },
  { kind: 'uniswapV4', native: true, feePips: 500, tickSpacing: 10 },
  { kind: 'uniswapV4', native: true, feePips: 3000, tickSpacing: 60 },
] as const

/** One of these is chosen for each pool. */
const draws: readonly Draw[] = [
  drawPair,
  drawPair,
  drawSolidly,
  drawSolidly,
  drawCurve,
  drawCurve,
  drawWeighted,
  drawWeighted,
  drawBalancerStable,
  ...concentratedSorts.map(
    (sort): Draw =>
      (random, spec) =>
        drawConcentrated(random, spec, sort),
  ),
]

/**
 * Draws different pools of all kinds. A factory creates only one pool for each pair and type.
 *
 * @param options.maxTokens 2, or 3 to include pools of three tokens.
 */
export function drawPools(
  random: Random.Random,
  spec: ChainSpec,
  { count, maxTokens }: { count: number; maxTokens: number },
): PoolSpec[] {
  const pools = new Map<string, PoolSpec>()
  while (pools.size < count) {
    const pool = Random.pick(random, draws)(random, spec, maxTokens)
    if (canStand(pool)) pools.set(keyOf(pool), pool)
  }
  return [...pools.values()]
}

/** Key that identifies a pool: a factory creates only one pool for each pair and type. */
export function keyOf(pool: PoolSpec): string {
  const sort = 'stable' in pool ? pool.stable : 'native' in pool ? pool.native : 'tokens' in pool
  // Listed pools differ only in their amounts.
  const own = 'tokens' in pool ? pool.amounts.join() : pool.feePips
  return [pool.kind, pool.token0.symbol, pool.token1.symbol, sort, own].join()
}

/** Whether the amounts fit into the pool's own integers. */
export function canStand(pool: PoolSpec): boolean {
  if ('ranges' in pool)
    return pool.ranges.every(
      ({ liquidity, tickLower, tickUpper }) =>
        liquidity > 0n &&
        liquidity < MOST_LIQUIDITY &&
        tickLower > -MOST_TICK &&
        tickUpper < MOST_TICK,
    )
  const amounts = 'tokens' in pool ? pool.amounts : [pool.amount0, pool.amount1]
  return amounts.every((amount) => amount > 10_000n && amount < MOST_RESERVE)
}

function drawPair(random: Random.Random, spec: ChainSpec): PoolSpec {
  const [token0, token1] = pairOf(random, spec.tokens)
  const [amount0, amount1] = amountsOf(random, [token0, token1], [1, 1])
  return { kind: 'uniswapV2', token0, token1, feePips: 3000, amount0: amount0!, amount1: amount1! }
}

function drawSolidly(random: Random.Random, spec: ChainSpec): PoolSpec {
  const stable = random() < 0.5
  const among = stable ? Random.pick(random, peersOf(spec)) : spec.tokens
  const [token0, token1] = pairOf(random, among)
  const feePips = stable ? 500 : 3000
  const common = { kind: 'solidly', token0, token1, stable, feePips } as const
  if (!stable) {
    const [amount0, amount1] = amountsOf(random, [token0, token1], [1, 1])
    return { ...common, amount0: amount0!, amount1: amount1! }
  }
  // A stable pool begins with the same number of whole tokens of each.
  const whole = BigInt(Math.ceil(drawDepth(random) / token0.usd))
  const amount = ({ decimals }: TokenSpec) => whole * 10n ** BigInt(decimals)
  return { ...common, amount0: amount(token0), amount1: amount(token1) }
}

function drawCurve(random: Random.Random, spec: ChainSpec, maxTokens: number): PoolSpec {
  const tokens = someOf(random, peerGroup(random, spec), maxTokens)
  return { kind: 'curve', ...drawStable(random, tokens) }
}

function drawBalancerStable(random: Random.Random, spec: ChainSpec, maxTokens: number): PoolSpec {
  const tokens = someOf(random, peerGroup(random, spec), maxTokens).sort(byAddress)
  return { kind: 'balancerStable', ...drawStable(random, tokens) }
}

/** Draws balances that differ by up to a factor of three, like in real stable pools. */
function drawStable(random: Random.Random, tokens: readonly TokenSpec[]) {
  const depth = drawDepth(random)
  return {
    token0: tokens[0]!,
    token1: tokens[1]!,
    tokens,
    amounts: tokens.map((token) =>
      rounded((depth * Random.between(random, 0.6, 1.7)) / unit(token)),
    ),
    weights: [],
    amplification: Math.floor(Random.between(random, 20, 2000)),
    feePips: Math.floor(Random.between(random, 30, 500)),
  }
}

function drawWeighted(random: Random.Random, spec: ChainSpec, maxTokens: number): PoolSpec {
  const tokens = someOf(random, spec.tokens, maxTokens).sort(byAddress)
  const parts = tokens.map(() => 15 + Math.floor(random() * 60))
  const whole = parts.reduce((sum, part) => sum + part, 0)
  const weights = parts.map((part) => Math.floor((part / whole) * 100))
  weights[0]! += 100 - weights.reduce((sum, weight) => sum + weight, 0)
  return {
    kind: 'balancerWeighted',
    token0: tokens[0]!,
    token1: tokens[1]!,
    tokens,
    amounts: amountsOf(random, tokens, weights),
    weights: weights.map((weight) => BigInt(weight) * 10n ** 16n),
    amplification: 0,
    feePips: Math.floor(Random.between(random, 100, 10_000)),
  }
}

function drawConcentrated(
  random: Random.Random,
  spec: ChainSpec,
  sort: (typeof concentratedSorts)[number],
): PoolSpec {
  const weth = spec.tokens.find(({ symbol }) => symbol === 'WETH')!
  let [token0, token1] = pairOf(random, spec.tokens)
  // The native currency sorts before every token.
  if (sort.native) [token0, token1] = [weth, token0 === weth ? token1 : token0]
  const [amount0, amount1] = amountsOf(random, [token0, token1], [1, 1]).map(Number)
  const price = amount1! / amount0!
  const depth = Math.sqrt(amount0! * amount1!)
  const ranges = nestedAround(random, { price, depth, tickSpacing: sort.tickSpacing })
  return { ...sort, token0, token1, sqrtPriceX96: sqrtPriceX96(price), ranges }
}

/** Draws nested ranges around a price; inner ranges have more liquidity. */
export function nestedAround(
  random: Random.Random,
  { depth, price, tickSpacing }: { price: number; depth: number; tickSpacing: number },
): Range[] {
  const tick = Math.log(price) / LOG_TICK
  return Array.from({ length: RANGES }, (_, k): Range => {
    const width = 60 * Random.between(random, 1, 4 ** (k + 1))
    const liquidity = (depth * 4 ** (RANGES - 1 - k) * random()) / 16
    return {
      tickLower: Math.floor((tick - width) / tickSpacing) * tickSpacing,
      tickUpper: (Math.ceil((tick + width) / tickSpacing) + 1) * tickSpacing,
      liquidity: rounded(liquidity),
    }
  })
}

/** Draws amounts whose values have the ratio of the weights; the first token's price is slightly off. */
export function amountsOf(
  random: Random.Random,
  tokens: readonly TokenSpec[],
  weights: readonly number[],
): bigint[] {
  const depth = drawDepth(random)
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  return tokens.map((token, index) => {
    const skew = 1 + (2 * random() - 1) * SKEW
    return rounded(((depth * weights[index]!) / whole / unit(token)) * (index === 0 ? skew : 1))
  })
}

export function drawDepth(random: Random.Random): number {
  return Random.between(random, LEAST_DEPTH, MOST_DEPTH)
}

function peerGroup(random: Random.Random, spec: ChainSpec): readonly TokenSpec[] {
  return Random.pick(random, peersOf(spec))
}

/** Picks two tokens, or sometimes `most`, in random order. */
function someOf(random: Random.Random, tokens: readonly TokenSpec[], most: number): TokenSpec[] {
  const shuffled = tokens
    .map((token) => ({ token, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ token }) => token)
  return shuffled.slice(0, random() < 0.4 ? most : 2)
}

/** Picks two tokens, in order of their addresses. */
export function pairOf(
  random: Random.Random,
  tokens: readonly TokenSpec[],
): [TokenSpec, TokenSpec] {
  const [a, b] = someOf(random, tokens, 2) as [TokenSpec, TokenSpec]
  return byAddress(a, b) < 0 ? [a, b] : [b, a]
}

function byAddress(a: TokenSpec, b: TokenSpec): number {
  return a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1
}

/** Value of a base unit in US dollars. */
function unit({ usd, decimals }: TokenSpec): number {
  return usd / 10 ** decimals
}
