import type { OracleEdge } from '../../../optimizer/Oracle.js'

/** The curve of a pool of which a hook keeps a part of each output, or to which it adds one. */
export function scaledCurve(f: OracleEdge['f'], factor: number): OracleEdge['f'] {
  return {
    cap: f.cap,
    d0: f.d0 * factor,
    out: (amountIn) => f.out(amountIn) * factor,
    d: (amountIn) => f.d(amountIn) * factor,
    xAt: (price) => f.xAt(price / factor),
    dx: (price, x) => f.dx(price / factor, x) / factor,
    pieces: f.pieces.map((piece) => ({
      ...piece,
      f: (x) => {
        const [out, price, bend] = piece.f(x)
        return [out * factor, price * factor, bend * factor]
      },
    })),
  }
}
