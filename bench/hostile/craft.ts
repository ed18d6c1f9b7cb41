import { type ChainSpec, type PoolSpec, type Range, rounded, type TokenSpec } from '@sluice/devnet'
import type * as Random from '../optimizer/Random.js'
import { canStand, concentratedSorts, keyOf, MOST_TICK } from '../quality/made/drawPools.js'

/** Pools that anyone can create at the chain's factories. Only the Hub's owner can list pools. */
export type OpenPool = Exclude<PoolSpec, { tokens: unknown }>

/** A pool that does not exist yet, with the tokens in the pool's order. */
export type Slot = { token0: TokenSpec; token1: TokenSpec } & (
  | { kind: 'uniswapV2' }
  | { kind: 'solidly'; stable: boolean }
  | (typeof concentratedSorts)[number]
  | (typeof moreSorts)[number]
)
export type ConcentratedSlot = Extract<Slot, { tickSpacing: number }>

/** Liquidity between two ticks, given as its value in US dollars at common prices. */
export type Part = { from: number; to: number; usd: number }

const moreSorts = [
  { kind: 'uniswapV4', native: false, feePips: 100, tickSpacing: 1 },
  { kind: 'uniswapV4', native: false, feePips: 10_000, tickSpacing: 200 },
  { kind: 'uniswapV4', native: true, feePips: 100, tickSpacing: 1 },
  { kind: 'uniswapV4', native: true, feePips: 10_000, tickSpacing: 200 },
] as const
const HALF_LOG_TICK = Math.log1p(0.0001) / 2
/** Limit of the pools' own integers. */
const MOST_LIQUIDITY = 2n ** 100n - 1n

/** Returns every pool of the two tokens that can still be created at the chain's venues, in random order. */
export function slotsOf(
  random: Random.Random,
  spec: ChainSpec,
  [a, b]: readonly [TokenSpec, TokenSpec],
  taken: ReadonlySet<string>,
): Slot[] {
  const [token0, token1] = a.address.toLowerCase() < b.address.toLowerCase() ? [a, b] : [b, a]
  const isNative = (token: TokenSpec) => token.address === spec.wrappedNative
  const ordered = { token0, token1 }
  const concentrated = [...concentratedSorts, ...moreSorts].filter(
    ({ kind, native }) =>
      (kind !== 'slipstream' && kind !== 'algebra' && kind !== 'pancakeV3') ||
      (spec[kind] && !native),
  )
  const all: Slot[] = [
    { ...ordered, kind: 'uniswapV2' },
    ...(spec.solidly ? ([true, false] as const) : []).map(
      (stable): Slot => ({ ...ordered, kind: 'solidly', stable }),
    ),
    ...concentrated.flatMap((sort): Slot[] => {
      if (!sort.native) return [{ ...ordered, ...sort }]
      if (isNative(a)) return [{ ...sort, token0: a, token1: b }]
      return isNative(b) ? [{ ...sort, token0: b, token1: a }] : []
    }),
  ]
  return all
    .filter((slot) => !taken.has(slotKey(slot)))
    .map((slot) => ({ slot, at: random() }))
    .sort((x, y) => x.at - y.at)
    .map(({ slot }) => slot)
}

export function isConcentrated(slot: Slot): slot is ConcentratedSlot {
  return 'tickSpacing' in slot
}

/** Returns the common price of token0 in token1, in base units, as a tick. */
export function fairTick({ token0, token1 }: Pick<Slot, 'token0' | 'token1'>): number {
  return Math.log(unitUsd(token0) / unitUsd(token1)) / (2 * HALF_LOG_TICK)
}

/** A constant-product pool of the given value, with its price the given number of ticks off the common price. */
export function reserves(
  slot: Exclude<Slot, ConcentratedSlot>,
  { off, usd }: { off: number; usd: number },
): OpenPool | undefined {
  const { token0, token1 } = slot
  const amounts = { amount0: 0n, amount1: 0n }
  if (slot.kind === 'solidly' && slot.stable) {
    // A stable pool begins with the same number of whole tokens of each.
    const whole = BigInt(Math.ceil((1e6 * usd) / (token0.usd + token1.usd)))
    amounts.amount0 = (whole * 10n ** BigInt(token0.decimals)) / 1_000_000n
    amounts.amount1 = (whole * 10n ** BigInt(token1.decimals)) / 1_000_000n
  } else {
    const price = Math.exp(off * 2 * HALF_LOG_TICK)
    // Both sides together are worth `usd` at common prices.
    amounts.amount0 = rounded(usd / (1 + price) / unitUsd(token0))
    amounts.amount1 = rounded((usd * price) / (1 + price) / unitUsd(token1))
  }
  const pair = { token0, token1, ...amounts }
  return kept(
    slot.kind === 'uniswapV2'
      ? { ...pair, kind: 'uniswapV2', feePips: 3000 }
      : { ...pair, kind: 'solidly', stable: slot.stable, feePips: slot.stable ? 500 : 3000 },
  )
}

/** A concentrated pool with its price at a tick, and liquidity in parts. Without parts it is empty. */
export function concentrated(
  slot: ConcentratedSlot,
  { at, parts }: { at: number; parts: readonly Part[] },
): OpenPool | undefined {
  const spacing = slot.tickSpacing
  const most = Math.floor((MOST_TICK - 1) / spacing) * spacing
  const tick = clamp(at, -MOST_TICK + spacing, MOST_TICK - spacing)
  const ranges = parts.map(({ from, to, usd }): Range => {
    const [low, high] = from < to ? [from, to] : [to, from]
    const tickLower = clamp(Math.floor(low / spacing) * spacing, -most, most - spacing)
    const tickUpper = clamp(Math.ceil(high / spacing) * spacing, tickLower + spacing, most)
    return {
      tickLower,
      tickUpper,
      liquidity: liquidityOf(slot, { tick, tickLower, tickUpper, usd }),
    }
  })
  const sqrtPriceX96 = rounded(Math.exp(tick * HALF_LOG_TICK) * 2 ** 96)
  return kept({ ...slot, sqrtPriceX96, ranges } as OpenPool)
}

/** Key that identifies a pool, whatever its depth. */
export function slotKey(slot: Slot): string {
  const feePips = isConcentrated(slot)
    ? slot.feePips
    : slot.kind === 'solidly' && slot.stable
      ? 500
      : 3000
  const shared = slot.kind === 'algebra' || slot.kind === 'slipstream'
  const native = 'native' in slot ? slot.native : false
  const stable = 'stable' in slot ? slot.stable : native
  const fee = shared ? '' : feePips
  return [slot.kind, [slot.token0.symbol, slot.token1.symbol].sort(), stable, fee].join()
}

/** Key of an existing pool. */
export function takenBy(pool: PoolSpec): string {
  return 'tokens' in pool ? keyOf(pool) : slotKey(pool as Slot)
}

function liquidityOf(
  slot: ConcentratedSlot,
  {
    tick,
    tickLower,
    tickUpper,
    usd,
  }: { tick: number; tickLower: number; tickUpper: number; usd: number },
): bigint {
  const [root, low, high] = [tick, tickLower, tickUpper].map((at) =>
    Math.exp(at * HALF_LOG_TICK),
  ) as [number, number, number]
  const amount0 = tick < tickUpper ? 1 / Math.max(root, low) - 1 / high : 0
  const amount1 = tick > tickLower ? Math.min(root, high) - low : 0
  const worth = amount0 * unitUsd(slot.token0) + amount1 * unitUsd(slot.token1)
  const liquidity = usd / worth
  if (!(liquidity > 1)) return 1n
  return liquidity > Number(MOST_LIQUIDITY) ? MOST_LIQUIDITY : rounded(liquidity)
}

function kept(pool: OpenPool): OpenPool | undefined {
  return canStand(pool) ? pool : undefined
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value))
}

/** Value of a base unit in US dollars. */
function unitUsd({ usd, decimals }: TokenSpec): number {
  return usd / 10 ** decimals
}
