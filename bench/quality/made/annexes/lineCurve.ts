import type { OracleEdge } from '../../../optimizer/Oracle.js'

/** What flows may exceed a limit by, because they are floats. A converter may be used up to its limit, and often is. */
const TOLERANCE = 1e-9

/** The curve of a converter in one direction: one price up to a limit. */
export function lineCurve({ limit, price }: { price: number; limit: number }): OracleEdge['f'] {
  return {
    cap: limit * (1 + TOLERANCE),
    d0: price,
    out: (amountIn) => price * Math.min(amountIn, limit),
    d: (amountIn) => (amountIn < limit ? price : 0),
    xAt: (at) => (at < price ? limit : 0),
    dx: () => 0,
    pieces: [{ x0: 0, cap: limit, f: (x) => [price * x, price, 0] }],
  }
}
