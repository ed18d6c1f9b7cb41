import type { OracleEdge } from '../../optimizer/Oracle.js'

/** A stable pool in one direction; reserves in base units. */
export type SolidlyPool = {
  reserveIn: number
  reserveOut: number
  /** Base units of a whole token. */
  unitIn: number
  unitOut: number
  feePips: number
}

/**
 * The curve of a Solidly stable pool, `x^3 y + x y^3 = k` over whole tokens, in the oracle's format.
 *
 * For a given x, y is the only real root of y^3 + x^2 y - k/x, by Cardano's formula and a few Newton steps.
 */
export function solidlyEdge(pool: SolidlyPool): OracleEdge['f'] {
  const { reserveIn, reserveOut, unitIn, unitOut, feePips } = pool
  const kept = 1 - feePips / 1e6
  const [x0, y0] = [reserveIn / unitIn, reserveOut / unitOut]
  const k = x0 ** 3 * y0 + x0 * y0 ** 3
  const xOf = (amountIn: number) => x0 + (kept * amountIn) / unitIn
  const scale = (kept * unitOut) / unitIn

  /** Returns y, -dy/dx and d2y/dx2, by implicit differentiation. */
  const along = (x: number): [y: number, slope: number, bend: number] => {
    const y = balanceAt(x, k)
    const byX = 3 * x * x * y + y ** 3
    const byY = x ** 3 + 3 * x * y * y
    const slope = byX / byY
    const mixed = 3 * x * x + 3 * y * y
    const bend = -(6 * x * y - 2 * mixed * slope + 6 * x * y * slope * slope) / byY
    return [y, slope, bend]
  }
  const out = (amountIn: number) => Math.max(0, (y0 - along(xOf(amountIn))[0]) * unitOut)
  const d = (amountIn: number) => along(xOf(amountIn))[1] * scale
  // The output is y0 - y, so its second derivative is -d2y/dx2.
  const dd = (amountIn: number) => (-along(xOf(amountIn))[2] * scale * kept) / unitIn
  const d0 = d(0)
  const xAt = (price: number) => (price >= d0 ? 0 : bisect(d, price, reserveIn / 100))
  return {
    cap: reserveIn * 1e6,
    d0,
    out,
    d,
    xAt,
    dx: (_, x) => (x > 0 && dd(x) < 0 ? 1 / dd(x) : -1e300),
    pieces: [
      { x0: 0, cap: Number.POSITIVE_INFINITY, f: (x) => [out(x), d(x), Math.min(dd(x), 0)] },
    ],
  }
}

function balanceAt(x: number, k: number): number {
  const half = k / x / 2
  const root = Math.cbrt(half + Math.sqrt(half * half + x ** 6 / 27))
  let y = root - (x * x) / (3 * root)
  for (let step = 0; step < 4; step++) y -= (y ** 3 + x * x * y - k / x) / (3 * y * y + x * x)
  return y
}

/** Returns the argument at which a decreasing function has a value. */
function bisect(f: (x: number) => number, value: number, first: number): number {
  let [low, high] = [0, first]
  for (let grown = 0; f(high) > value && grown < 60; grown++) [low, high] = [high, high * 4]
  for (let step = 0; step < 200 && high - low > 1e-15 * high; step++) {
    const middle = (low + high) / 2
    if (f(middle) > value) low = middle
    else high = middle
  }
  return (low + high) / 2
}
