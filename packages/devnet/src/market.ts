import type { ChainSpec, TokenSpec } from './chains.js'
import { nestedRanges, type Range, rounded, sqrtPriceX96 } from './liquidity.js'
import { createRandom, type Random } from './random.js'

/** A pool as it is seeded; tokens in the order of their addresses. */
export type PoolSpec = PairSpec | SolidlySpec | ConcentratedSpec
export type PoolKind = PoolSpec['kind']

export type PairSpec = {
  kind: 'uniswapV2'
  token0: TokenSpec
  token1: TokenSpec
  feePips: 3000
  amount0: bigint
  amount1: bigint
}

export type SolidlySpec = {
  kind: 'solidly'
  token0: TokenSpec
  token1: TokenSpec
  stable: boolean
  feePips: number
  amount0: bigint
  amount1: bigint
}

type ConcentratedKind = 'uniswapV3' | 'pancakeV3' | 'slipstream' | 'algebra' | 'uniswapV4'
export type ConcentratedSpec = { [kind in ConcentratedKind]: Concentrated<kind> }[ConcentratedKind]

type Concentrated<kind> = {
  kind: kind
  /** The pool's first currency is the native one, and `token0` the token that wraps it; Uniswap V4 only. */
  native: boolean
  token0: TokenSpec
  token1: TokenSpec
  feePips: number
  tickSpacing: number
  sqrtPriceX96: bigint
  ranges: readonly Range[]
}

/** Tick spacing of each fee tier. */
export const tickSpacings: Readonly<Record<number, number>> = {
  100: 1,
  500: 10,
  3000: 60,
  10000: 200,
}

type VenueOfRow = number | 'v2' | keyof typeof solidlyFees | keyof typeof foreign

/** Fees of the factory in pips. */
const solidlyFees = { 'solidly volatile': 3000, 'solidly stable': 500 } as const

/** Pools of the other venues: one sort of each. */
const foreign = {
  v4: { kind: 'uniswapV4', native: false, feePips: 500, tickSpacing: 10 },
  'v4 native': { kind: 'uniswapV4', native: true, feePips: 3000, tickSpacing: 60 },
  pancakeV3: { kind: 'pancakeV3', native: false, feePips: 2500, tickSpacing: 50 },
  // The fee is the factory's for this spacing.
  slipstream: { kind: 'slipstream', native: false, feePips: 500, tickSpacing: 100 },
  // Fee and spacing are the factory's for new pools.
  algebra: { kind: 'algebra', native: false, feePips: 500, tickSpacing: 60 },
} as const

type Row = readonly [
  tokenA: string,
  tokenB: string,
  /** A fee tier of Uniswap V3 in pips, or another venue. */
  venue: VenueOfRow,
  /** Worth of both sides on a chain of depth 1. */
  usd: number,
]

const v2FeePips = 3000

/** Every pool of a chain, the same for the same seed. */
export function marketOf(chain: ChainSpec, { seed }: { seed: number }): PoolSpec[] {
  const tokens = new Map(chain.tokens.map((token) => [token.symbol, token]))
  return rowsOf(chain)
    .filter(([a, b, venue]) => tokens.has(a) && tokens.has(b) && a !== b && stands(chain, venue))
    .map((row) => {
      const [a, b, venue, usd] = row
      // One stream of numbers per pool, so that adding a pool leaves the others as they are.
      const random = createRandom(seed ^ hash(`${chain.chainId} ${a} ${b} ${venue}`))
      const pair = [tokens.get(a)!, tokens.get(b)!] as const
      const ordered = venue === 'v4 native' ? pair : sorted(...pair)
      return poolOf(random, ordered, venue, usd * chain.depth)
    })
}

function stands(chain: ChainSpec, venue: VenueOfRow): boolean {
  if (venue === 'pancakeV3' || venue === 'slipstream' || venue === 'algebra')
    return chain[venue] !== undefined
  if (isSolidly(venue)) return chain.solidly !== undefined
  return true
}

function rowsOf({ roles: { stable, btc, governance } }: ChainSpec): Row[] {
  return [
    ['WETH', 'USDC', 100, 3e6],
    ['WETH', 'USDC', 500, 40e6],
    ['WETH', 'USDC', 3000, 25e6],
    ['WETH', 'USDC', 10000, 2e6],
    ['WETH', 'USDC', 'v2', 8e6],
    ['WETH', stable, 500, 15e6],
    ['WETH', stable, 3000, 10e6],
    ['WETH', stable, 'v2', 4e6],
    ['WETH', 'DAI', 500, 3e6],
    ['WETH', 'DAI', 3000, 4e6],
    ['WETH', 'DAI', 'v2', 1.5e6],
    ['USDC', stable, 100, 20e6],
    ['USDC', stable, 500, 3e6],
    ['USDC', stable, 'v2', 1e6],
    ['USDC', 'DAI', 100, 15e6],
    ['USDC', 'DAI', 500, 3e6],
    ['USDC', 'DAI', 'v2', 0.5e6],
    ['WETH', btc, 500, 20e6],
    ['WETH', btc, 3000, 15e6],
    ['WETH', btc, 'v2', 2e6],
    [btc, 'USDC', 500, 5e6],
    [btc, 'USDC', 3000, 8e6],
    [btc, 'USDC', 'v2', 0.8e6],
    ['wstETH', 'WETH', 100, 12e6],
    ['wstETH', 'WETH', 500, 3e6],
    ['cbETH', 'WETH', 500, 5e6],
    ['cbETH', 'WETH', 'v2', 0.4e6],
    ['WBTC', 'cbBTC', 500, 6e6],
    ['USDC.e', 'USDC', 100, 6e6],
    ['USDe', 'USDC', 100, 8e6],
    [governance, 'WETH', 3000, 4e6],
    [governance, 'WETH', 10000, 1e6],
    [governance, 'WETH', 'v2', 1.5e6],
    [governance, 'USDC', 3000, 1.5e6],
    ['LINK', 'WETH', 3000, 6e6],
    ['LINK', 'WETH', 'v2', 1e6],
    ['MOSS', 'WETH', 10000, 0.6e6],
    ['MOSS', 'WETH', 'v2', 0.4e6],
    ['FERN', 'DAI', 3000, 0.5e6],
    ['FERN', 'DAI', 'v2', 0.3e6],
    ['KELP', btc, 3000, 0.5e6],
    ['KELP', btc, 'v2', 0.25e6],
    ['TIDE', 'USDC', 3000, 0.3e6],
    ['TIDE', 'USDC', 10000, 0.6e6],
    ['TIDE', 'USDC', 'v2', 0.2e6],
    ['BRINE', 'MOSS', 'v2', 0.15e6],
    ['LEVY', 'WETH', 'v2', 0.4e6],
    ['LEVY', 'USDC', 'v2', 0.2e6],
    ['HALT', 'WETH', 'v2', 0.3e6],
    ['MIRAGE', 'WETH', 'v2', 1_800],
    ['PYRE', 'WETH', 'v2', 0.2e6],
    ['BLOAT', 'WETH', 'v2', 0.2e6],
    ['SLU', 'WETH', 3000, 1.2e6],
    ['SLU', 'WETH', 'v2', 0.5e6],
    ['SLU', 'USDC', 10000, 0.4e6],
    ['WETH', 'USDC', 'v4 native', 30e6],
    ['WETH', stable, 'v4', 12e6],
    [btc, 'USDC', 'v4', 9e6],
    ['WETH', 'DAI', 'v4 native', 2e6],
    ['WETH', 'USDC', 'pancakeV3', 18e6],
    [btc, 'WETH', 'pancakeV3', 10e6],
    ['WETH', 'USDC', 'slipstream', 22e6],
    [governance, 'WETH', 'slipstream', 9e6],
    ['WETH', 'USDC', 'solidly volatile', 24e6],
    ['USDC', stable, 'solidly stable', 6e6],
    ['WETH', 'USDC', 'algebra', 16e6],
    [governance, 'WETH', 'algebra', 6e6],
  ]
}

function poolOf(
  random: Random,
  [token0, token1]: readonly [TokenSpec, TokenSpec],
  venue: VenueOfRow,
  usd: number,
): PoolSpec {
  const feePips =
    venue === 'v2'
      ? v2FeePips
      : typeof venue === 'number'
        ? venue
        : isSolidly(venue)
          ? solidlyFees[venue]
          : foreign[venue].feePips
  // Within the fee, so that a split pays and a round trip does not.
  const drift = 1 + random.between(-0.6, 0.6) * (feePips / 1e6)
  const price = (unitUsd(token0) / unitUsd(token1)) * drift
  const value = (usd * random.between(0.85, 1.15)) / unitUsd(token1)
  if (venue === 'v2')
    return {
      kind: 'uniswapV2',
      token0,
      token1,
      feePips: v2FeePips,
      amount0: rounded(value / 2 / price),
      amount1: rounded(value / 2),
    }
  if (isSolidly(venue)) {
    const stable = venue === 'solidly stable'
    // A stable pool begins with as many whole tokens of each.
    const whole = BigInt(Math.round((value * unitUsd(token1)) / 2))
    const amount = ({ decimals }: TokenSpec) => whole * 10n ** BigInt(decimals)
    return {
      kind: 'solidly',
      token0,
      token1,
      stable,
      feePips,
      amount0: stable ? amount(token0) : rounded(value / 2 / price),
      amount1: stable ? amount(token1) : rounded(value / 2),
    }
  }
  const sort =
    typeof venue === 'number'
      ? ({
          kind: 'uniswapV3',
          native: false,
          feePips,
          tickSpacing: tickSpacings[feePips]!,
        } as const)
      : foreign[venue]
  const { tickSpacing } = sort
  const ranges = nestedRanges(random, {
    price,
    value,
    tickSpacing,
    count: 12,
    ...(isStable(token0, token1)
      ? { narrowest: 1.0006, widest: 1.1 }
      : { narrowest: 1.012, widest: 20 }),
  })
  const root = sqrtPriceX96(price)
  return { ...sort, token0, token1, sqrtPriceX96: root, ranges }
}

function isSolidly(venue: VenueOfRow): venue is keyof typeof solidlyFees {
  return typeof venue === 'string' && venue in solidlyFees
}

/** Tokens whose prices move together. */
function isStable(a: TokenSpec, b: TokenSpec): boolean {
  const ratio = a.usd / b.usd
  return ratio > 0.7 && ratio < 1.4 && a.usd > 0.95 && b.usd > 0.95
}

function unitUsd({ usd, decimals }: TokenSpec): number {
  return usd / 10 ** decimals
}

function sorted(a: TokenSpec, b: TokenSpec): readonly [TokenSpec, TokenSpec] {
  return a.address.toLowerCase() < b.address.toLowerCase() ? [a, b] : [b, a]
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let state = 0x811c9dc5
  for (const character of text)
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return state >>> 0
}
