import type { Random } from './random.js'

/** A V3 position, in the pool's own units. */
export type Range = { tickLower: number; tickUpper: number; liquidity: bigint }

export type RangeParameters = {
  /** Price of token0 in token1, both in base units. */
  price: number
  /** Value of the whole pool in base units of token1. */
  value: number
  tickSpacing: number
  count: number
  /** Half-width of the narrowest and the widest range, as a factor on the price. */
  narrowest: number
  widest: number
}

const maxTick = 887_272
const logBase = Math.log(1.0001)

/**
 * Nested ranges around a price. Each has an equal part of the value; widths grow geometrically and edges are shifted a
 * little at random. So liquidity decreases with the distance from the price in many steps.
 *
 * A position of liquidity L over [pa, pb] is worth L (2 sqrt p - p / sqrt pb - sqrt pa) in token1 at price p.
 */
export function nestedRanges(random: Random, parameters: RangeParameters): Range[] {
  const { price, value, tickSpacing, count, narrowest, widest } = parameters
  const center = Math.log(price) / logBase
  const growth = (Math.log(widest) / Math.log(narrowest)) ** (1 / (count - 1))
  return Array.from({ length: count }, (_, index) => {
    const halfWidth = (Math.log(narrowest) * growth ** index) / logBase
    const tickLower = usableTick(center - halfWidth * random.between(0.8, 1.25), tickSpacing, -1)
    const tickUpper = usableTick(center + halfWidth * random.between(0.8, 1.25), tickSpacing, 1)
    const root = Math.sqrt(price)
    const perLiquidity = 2 * root - price / rootAt(tickUpper) - rootAt(tickLower)
    return { tickLower, tickUpper, liquidity: rounded(value / count / perLiquidity) }
  })
}

/** `sqrt(price)` in Q64.96. */
export function sqrtPriceX96(price: number): bigint {
  return rounded(Math.sqrt(price) * 2 ** 96)
}

/**
 * Converts a float to an integer with ten significant digits. Logarithms and powers differ in the last digits between
 * machines; the devnet's numbers must not.
 */
export function rounded(value: number): bigint {
  const [digits, exponent] = value.toExponential(9).split('e') as [string, string]
  const shift = Number(exponent) - 9
  const integer = BigInt(digits.replace('.', ''))
  return shift >= 0 ? integer * 10n ** BigInt(shift) : integer / 10n ** BigInt(-shift)
}

function rootAt(tick: number): number {
  return 1.0001 ** (tick / 2)
}

/** The usable tick at or beyond `tick`, away from the price. */
function usableTick(tick: number, spacing: number, direction: -1 | 1): number {
  const limit = Math.floor(maxTick / spacing)
  const step = direction > 0 ? Math.ceil(tick / spacing) : Math.floor(tick / spacing)
  return Math.max(-limit, Math.min(limit, step)) * spacing
}
