import type { OracleEdge } from '../../optimizer/Oracle.js'

/** A weighted pool in one direction; reserves in base units. */
export type WeightedPool = {
  reserveIn: number
  reserveOut: number
  weightIn: number
  weightOut: number
  feePips: number
}

/** Maximum input of a pool after its fee, relative to its balance. */
const MOST_IN = 0.3

/**
 * The curve of a weighted pool in the oracle's format. The oracle's own curve ends where the input including the fee
 * reaches the pool's limit; real pools check the input without the fee.
 */
export function weightedEdge(pool: WeightedPool): OracleEdge['f'] {
  const { reserveIn, reserveOut, weightIn, weightOut, feePips } = pool
  const kept = 1 - feePips / 1e6
  const exponent = weightIn / weightOut
  const cap = (reserveIn * MOST_IN) / kept
  const d0 = (exponent * kept * reserveOut) / reserveIn
  const growth = (amountIn: number) => Math.log1p((kept * amountIn) / reserveIn)
  const slope = (amountIn: number) => d0 * Math.exp(-(exponent + 1) * growth(amountIn))
  const bend = (amountIn: number) =>
    (-(exponent + 1) * kept * slope(amountIn)) / (reserveIn + kept * amountIn)
  const out = (amountIn: number) =>
    -reserveOut * Math.expm1(-exponent * growth(Math.min(amountIn, cap)))
  const xAt = (price: number) =>
    price >= d0 ? 0 : (reserveIn * Math.expm1(Math.log(d0 / price) / (exponent + 1))) / kept
  return {
    cap,
    d0,
    out,
    d: (amountIn) => (amountIn >= cap ? 0 : slope(amountIn)),
    xAt: (price) => Math.min(cap, xAt(price)),
    dx: (price, x) =>
      x > 0 && x < cap ? -(reserveIn + kept * x) / (kept * (exponent + 1) * price) : 0,
    pieces: [{ x0: 0, cap, f: (x) => [out(x), slope(x), bend(x)] }],
  }
}
