import type { OracleEdge } from '../../../optimizer/Oracle.js'
import { constant, inverse, type Jet, minus, plus, times } from './Jet.js'

/** A cryptoswap pool of two tokens. Balances are in units of one token, so that they are alike where the pool is balanced. */
export type CryptoPool = {
  balances: readonly [number, number]
  /** Amplification with its factor of n^n. */
  ann: number
  gamma: number
  /** Parts of the output. */
  midFee: number
  outFee: number
  feeGamma: number
}

/** Pools refuse swaps after which a balance is less than this part of the invariant. */
const LEAST_PART = 0.01
const HALVINGS = 200
const one = constant(1)

/**
 * The curve of a cryptoswap pool in one direction, in the oracle's format. What the pool would pay without its fee comes from
 * the whitepaper's invariant; derivatives from second-order differentiation of both.
 *
 * @param options.unitIn Base units of the token sold for a unit of the balances, and `unitOut` of the token bought.
 */
export function cryptoCurve(
  pool: CryptoPool,
  { unitIn, unitOut, zeroForOne }: { zeroForOne: boolean; unitIn: number; unitOut: number },
): OracleEdge['f'] {
  const [x0, y0] = zeroForOne ? pool.balances : ([pool.balances[1], pool.balances[0]] as const)
  const invariant = invariantOf(pool)
  const excess = (x: Jet, y: Jet) => excessOf(pool, invariant, x, y)
  const balanceAt = (x: number) => halve(0, y0, (y) => excess(constant(x), constant(y))[0] < 0)
  /** Output in units of the balances, by the input. */
  const along = (amountIn: number): Jet => {
    const x = x0 + amountIn
    const y = amountIn > 0 ? balanceAt(x) : y0
    const [, byX, byXX] = excess([x, 1, 0], constant(y))
    const [, byY, byYY] = excess(constant(x), [y, 1, 0])
    const byXY = (excess([x, 1, 0], [y, 1, 0])[2] - byXX - byYY) / 2
    const slope = -byX / byY
    const bend = -(byXX + 2 * byXY * slope + byYY * slope * slope) / byY
    const after: Jet = [y, slope, bend]
    return times(minus(constant(y0), after), minus(one, feeOf(pool, [x, 1, 0], after)))
  }
  const least = LEAST_PART * invariant
  const most = halve(0, 200 * invariant, (x) => excess(constant(x), constant(least))[0] < 0) - x0
  const limit = most * unitIn
  const at = (amountIn: number): [number, number, number] => {
    const [out, price, bend] = along(Math.min(amountIn, limit) / unitIn)
    return [
      Math.max(0, out * unitOut),
      (price * unitOut) / unitIn,
      Math.min(0, (bend * unitOut) / unitIn ** 2),
    ]
  }
  const d = (amountIn: number) => (amountIn >= limit ? 0 : at(amountIn)[1])
  const d0 = d(0)
  return {
    cap: limit,
    d0,
    out: (amountIn) => at(amountIn)[0],
    d,
    xAt: (price) => (price >= d0 ? 0 : halve(0, limit, (x) => d(x) > price)),
    dx: (_, x) => (x > 0 && x < limit && at(x)[2] < 0 ? 1 / at(x)[2] : 0),
    pieces: [{ x0: 0, cap: limit, f: at }],
  }
}

/** Zero on the curve of the invariant, and positive above it. */
function excessOf({ ann, gamma }: CryptoPool, invariant: number, x: Jet, y: Jet): Jet {
  const even = times(constant(4 / invariant ** 2), x, y)
  const part = times(constant(gamma), inverse(minus(constant(gamma + 1), even)))
  const weight = times(constant(ann), part, part, even)
  const sum = minus(times(constant(1 / invariant), plus(x, y)), one)
  return minus(times(weight, sum), minus(one, even))
}

function invariantOf(pool: CryptoPool): number {
  const [x, y] = pool.balances.map(constant) as [Jet, Jet]
  // What is worth more than twice the root of the product is above the curve.
  const least = 2 * Math.sqrt(x[0] * y[0])
  return halve(least, x[0] + y[0], (d) => excessOf(pool, d, x, y)[0] > 0)
}

function feeOf({ feeGamma, midFee, outFee }: CryptoPool, x: Jet, y: Jet): Jet {
  const sum = inverse(plus(x, y))
  const even = times(constant(4), x, y, sum, sum)
  const part = times(constant(feeGamma), inverse(minus(constant(feeGamma + 1), even)))
  return plus(constant(outFee), times(constant(midFee - outFee), part))
}

/** Returns the number up to which a condition holds. */
function halve(low: number, high: number, holds: (value: number) => boolean): number {
  for (let step = 0; step < HALVINGS && high - low > 1e-16 * high; step++) {
    const middle = (low + high) / 2
    if (middle === low || middle === high) break
    if (holds(middle)) low = middle
    else high = middle
  }
  return (low + high) / 2
}
