import type { VenueKind } from '@sluice/domain'
import type { ChainSpec, TokenSpec } from './chains.js'
import { nestedRanges, type Range, rounded, sqrtPriceX96 } from './liquidity.js'
import { createRandom, type Random } from './random.js'

/** Specification of a pool to create; tokens are in order of their addresses. */
export type PoolSpec = PairSpec | SolidlySpec | ConcentratedSpec | ListedSpec
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

/** Kinds of listed pools that the devnet has. A new kind does not have to be added. */
type SeededListed = Extract<
  VenueKind.With<'listed'>,
  'curve' | 'balancerWeighted' | 'balancerStable'
>

/** A pool of two or more tokens whose address cannot be derived. */
export type ListedSpec = { [kind in SeededListed]: Listed<kind> }[SeededListed]
export type BalancerSpec = Extract<ListedSpec, { kind: VenueKind.With<'shared'> }>

type Listed<kind> = {
  kind: kind
  /** The first two of `tokens`. */
  token0: TokenSpec
  token1: TokenSpec
  tokens: readonly TokenSpec[]
  amounts: readonly bigint[]
  /** In 1e-18, with a sum of one; weighted pools only. */
  weights: readonly bigint[]
  /** Set if a registry knows the pool, so that the Hub does not list it: the devnet's, or Balancer's factory. */
  isRegistered?: true
  /** Stable pools only. */
  amplification: number
  feePips: number
}

/** PancakeSwap V3 has pools of the kind `uniswapV3`, from its own factory. */
type ConcentratedKind =
  | Extract<VenueKind.With<'ticks'>, 'uniswapV3' | 'slipstream' | 'algebra' | 'uniswapV4'>
  | 'pancakeV3'
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

type VenueOfRow = number | 'v2' | keyof typeof solidlyFees | keyof typeof foreign | ListedKind
type ListedKind = keyof typeof listedFees

/** Fees of the factory in pips. */
const solidlyFees = { 'solidly volatile': 3000, 'solidly stable': 500 } as const

/** In pips. */
const listedFees = {
  curve: 100,
  'curve registered': 100,
  'balancer 80/20': 1000,
  'balancer stable': 100,
} as const
/** Amplification of stable pools. */
const amplification = 400

/** Pools of the other venues: one type for each. */
const foreign = {
  v4: { kind: 'uniswapV4', native: false, feePips: 500, tickSpacing: 10 },
  'v4 native': { kind: 'uniswapV4', native: true, feePips: 3000, tickSpacing: 60 },
  pancakeV3: { kind: 'pancakeV3', native: false, feePips: 2500, tickSpacing: 50 },
  // The factory's fee for this spacing.
  slipstream: { kind: 'slipstream', native: false, feePips: 500, tickSpacing: 100 },
  // The factory's fee and spacing for new pools.
  algebra: { kind: 'algebra', native: false, feePips: 500, tickSpacing: 60 },
} as const

type Row = readonly [
  tokenA: string,
  tokenB: string,
  /** A fee tier of Uniswap V3 in pips, or another venue. */
  venue: VenueOfRow,
  /** Value of both sides in US dollars, on a chain of depth 1. */
  usd: number,
  /** Third token of a pool with three tokens. */
  third?: string,
]

const v2FeePips = 3000

/** All pools of a chain. The same seed gives the same pools. */
export function marketOf(chain: ChainSpec, { seed }: { seed: number }): PoolSpec[] {
  const tokens = new Map(chain.tokens.map((token) => [token.symbol, token]))
  return rowsOf(chain)
    .filter(([a, b, venue]) => tokens.has(a) && tokens.has(b) && a !== b && stands(chain, venue))
    .filter(isFirst)
    .map((row) => {
      const [a, b, venue, usd, third] = row
      // One random stream per pool, so that adding a pool does not change the others.
      const random = createRandom(seed ^ hash(`${chain.chainId} ${a} ${b} ${venue}`))
      const pair = [tokens.get(a)!, tokens.get(b)!] as const
      if (isListedKind(venue)) {
        const all = third ? [...pair, tokens.get(third)!] : pair
        return listedOf(random, all, venue, usd * chain.depth)
      }
      const ordered = venue === 'v4 native' ? pair : sorted(...pair)
      return poolOf(random, ordered, venue, usd * chain.depth)
    })
}

/** Whether no row above is the same pool: two roles can be one token. */
function isFirst([a, b, venue]: Row, at: number, rows: readonly Row[]): boolean {
  const isSame = ([otherA, otherB, otherVenue]: Row) =>
    venue === otherVenue && (a === otherA ? b === otherB : a === otherB && b === otherA)
  return rows.findIndex(isSame) === at
}

function stands(chain: ChainSpec, venue: VenueOfRow): boolean {
  if (venue === 'pancakeV3' || venue === 'slipstream' || venue === 'algebra')
    return chain[venue] !== undefined
  if (isSolidly(venue)) return chain.solidly !== undefined
  if (venue === 'curve registered') return chain.hasRegistry
  return !isListedKind(venue) || chain.hasListed
}

function rowsOf({ roles: { stable, btc, governance }, tokens, usdc }: ChainSpec): Row[] {
  const dollar = tokens.find(({ address }) => address === usdc)!.symbol
  return [
    ['WETH', dollar, 100, 3e6],
    ['WETH', dollar, 500, 40e6],
    ['WETH', dollar, 3000, 25e6],
    ['WETH', dollar, 10000, 2e6],
    ['WETH', dollar, 'v2', 8e6],
    ['WETH', stable, 500, 15e6],
    ['WETH', stable, 3000, 10e6],
    ['WETH', stable, 'v2', 4e6],
    ['WETH', 'DAI', 500, 3e6],
    ['WETH', 'DAI', 3000, 4e6],
    ['WETH', 'DAI', 'v2', 1.5e6],
    [dollar, stable, 100, 20e6],
    [dollar, stable, 500, 3e6],
    [dollar, stable, 'v2', 1e6],
    [dollar, 'DAI', 100, 15e6],
    [dollar, 'DAI', 500, 3e6],
    [dollar, 'DAI', 'v2', 0.5e6],
    ['WETH', btc, 500, 20e6],
    ['WETH', btc, 3000, 15e6],
    ['WETH', btc, 'v2', 2e6],
    [btc, dollar, 500, 5e6],
    [btc, dollar, 3000, 8e6],
    [btc, dollar, 'v2', 0.8e6],
    ['wstETH', 'WETH', 100, 12e6],
    ['wstETH', 'WETH', 500, 3e6],
    ['cbETH', 'WETH', 500, 5e6],
    ['cbETH', 'WETH', 'v2', 0.4e6],
    ['WBTC', 'cbBTC', 500, 6e6],
    ['USDC.e', dollar, 100, 6e6],
    ['USDe', dollar, 100, 8e6],
    [governance, 'WETH', 3000, 4e6],
    [governance, 'WETH', 10000, 1e6],
    [governance, 'WETH', 'v2', 1.5e6],
    [governance, dollar, 3000, 1.5e6],
    ['LINK', 'WETH', 3000, 6e6],
    ['LINK', 'WETH', 'v2', 1e6],
    ['MOSS', 'WETH', 10000, 0.6e6],
    ['MOSS', 'WETH', 'v2', 0.4e6],
    ['FERN', 'DAI', 3000, 0.5e6],
    ['FERN', 'DAI', 'v2', 0.3e6],
    ['KELP', btc, 3000, 0.5e6],
    ['KELP', btc, 'v2', 0.25e6],
    ['TIDE', dollar, 3000, 0.3e6],
    ['TIDE', dollar, 10000, 0.6e6],
    ['TIDE', dollar, 'v2', 0.2e6],
    ['BRINE', 'MOSS', 'v2', 0.15e6],
    ['LEVY', 'WETH', 'v2', 0.4e6],
    ['LEVY', dollar, 'v2', 0.2e6],
    ['HALT', 'WETH', 'v2', 0.3e6],
    ['MIRAGE', 'WETH', 'v2', 1_800],
    ['PYRE', 'WETH', 'v2', 0.2e6],
    ['BLOAT', 'WETH', 'v2', 0.2e6],
    ['SLU', 'WETH', 3000, 1.2e6],
    ['SLU', 'WETH', 'v2', 0.5e6],
    ['SLU', dollar, 10000, 0.4e6],
    ['WETH', dollar, 'v4 native', 30e6],
    ['WETH', stable, 'v4', 12e6],
    [btc, dollar, 'v4', 9e6],
    ['WETH', 'DAI', 'v4 native', 2e6],
    ['WETH', dollar, 'pancakeV3', 18e6],
    [btc, 'WETH', 'pancakeV3', 10e6],
    ['WETH', dollar, 'slipstream', 22e6],
    [governance, 'WETH', 'slipstream', 9e6],
    ['WETH', dollar, 'solidly volatile', 24e6],
    [dollar, stable, 'solidly stable', 6e6],
    ['WETH', dollar, 'algebra', 16e6],
    [governance, 'WETH', 'algebra', 6e6],
    ['DAI', dollar, 'curve', 24e6, stable],
    ['DAI', dollar, 'curve registered', 24e6],
    [governance, 'WETH', 'balancer 80/20', 8e6],
    [dollar, 'DAI', 'balancer stable', 16e6],
  ]
}

function poolOf(
  random: Random,
  [token0, token1]: readonly [TokenSpec, TokenSpec],
  venue: Exclude<VenueOfRow, ListedKind>,
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
  // Smaller than the fee, so that splitting a trade gains and a round trip does not.
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
    // A stable pool begins with the same number of whole tokens of each.
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

/** Balancer sorts its tokens by address; Curve's pools keep the given order. */
function listedOf(
  random: Random,
  given: readonly TokenSpec[],
  venue: ListedKind,
  usd: number,
): ListedSpec {
  const isRegistered = venue === 'curve registered'
  const isCurve = venue === 'curve' || isRegistered
  const tokens = isCurve ? given : [...given].sort(byAddress)
  const isWeighted = venue === 'balancer 80/20'
  const feePips = listedFees[venue]
  const value = usd * random.between(0.85, 1.15)
  const weights = tokens.map((token) => (token === given[0] ? 80 : 20))
  const amounts = tokens.map((token, index) => {
    const share = isWeighted ? weights[index]! / 100 : stableShare(token, tokens)
    const drift = 1 + random.between(-0.3, 0.3) * (feePips / 1e6)
    return rounded(((value * share) / unitUsd(token)) * (isWeighted ? drift : 1))
  })
  return {
    kind: isWeighted ? 'balancerWeighted' : isCurve ? 'curve' : 'balancerStable',
    ...(isRegistered && { isRegistered }),
    token0: tokens[0]!,
    token1: tokens[1]!,
    tokens,
    amounts,
    weights: isWeighted ? weights.map((weight) => BigInt(weight) * 10n ** 16n) : [],
    amplification: isWeighted ? 0 : amplification,
    feePips,
  }
}

/**
 * Share of a stable pool's value that must be in a token for the pool to have the token's price. First-order
 * approximation in the price differences.
 *
 * The marginal value of a token is proportional to `A n + K / x`, where K is about the sum of the balances.
 */
function stableShare({ usd }: TokenSpec, tokens: readonly TokenSpec[]): number {
  const n = tokens.length
  const mean = tokens.reduce((sum, token) => sum + token.usd, 0) / n
  return 1 / (n + (amplification * n + n) * (usd / mean - 1))
}

/** All tokens of a pool, in the pool's order. */
export function tokensOf(pool: PoolSpec): readonly TokenSpec[] {
  return 'tokens' in pool ? pool.tokens : [pool.token0, pool.token1]
}

function isListedKind(venue: VenueOfRow): venue is ListedKind {
  return typeof venue === 'string' && venue in listedFees
}

function isSolidly(venue: VenueOfRow): venue is keyof typeof solidlyFees {
  return typeof venue === 'string' && venue in solidlyFees
}

/** Whether the prices of two tokens move together. */
function isStable(a: TokenSpec, b: TokenSpec): boolean {
  const ratio = a.usd / b.usd
  return ratio > 0.7 && ratio < 1.4 && a.usd > 0.95 && b.usd > 0.95
}

/** Price of a base unit in US dollars. */
export function unitUsd({ usd, decimals }: TokenSpec): number {
  return usd / 10 ** decimals
}

/** Two tokens in the order of their addresses. */
export function sorted(a: TokenSpec, b: TokenSpec): readonly [TokenSpec, TokenSpec] {
  return byAddress(a, b) < 0 ? [a, b] : [b, a]
}

function byAddress(a: TokenSpec, b: TokenSpec): number {
  return a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let state = 0x811c9dc5
  for (const character of text)
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return state >>> 0
}

/** The kind of the pool's venue. */
export function venueKindOf({ kind }: PoolSpec): VenueKind.Name {
  return kind === 'pancakeV3' ? 'uniswapV3' : kind
}
