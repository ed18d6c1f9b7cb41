import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Market, Pool } from './Market.js'

/** One direction of one pool in the oracle's format, in float64. */
export type OracleEdge = {
  pool: Pool
  from: string
  to: string
  f: {
    /** Output and marginal price at an input; `d0` is the price of the first unit. */
    out(amountIn: number): number
    d(amountIn: number): number
    d0: number
    /** Maximum useful input; the input at which the marginal price falls to a value; its derivative by the price. */
    cap: number
    xAt(price: number): number
    dx(price: number, x: number): number
    /** Smooth parts. `f` returns output, price and derivative of the price after an input of `x` into the part. */
    pieces: { x0: number; cap: number; f(x: number): [number, number, number] }[]
  }
}

/** Input of one directed pool in an optimal flow. */
export type Flow = { pool: string; from: string; to: string; in: number }

/** A market in the oracle's format. */
export type OracleMarket = {
  market: Market
  /** Every directed pool; `by` has the same pools by input token and output token. */
  edges: OracleEdge[]
  by: Map<string, Map<string, OracleEdge[]>>
  pair(from: string, to: string): OracleEdge[]
}

/** The float solver in the bench folder; see the README there. */
export type Oracle = {
  Market: new (market: Market, options: { filter: (pool: Pool) => boolean }) => OracleMarket
  /** `out` is a feasible output; `upper` is a proven upper bound on the optimum. */
  optimum(
    m: OracleMarket,
    tokenIn: string,
    tokenOut: string,
    amountIn: number,
  ): { out: number; upper: number; flows: readonly Flow[] }
  /** Best path with one pool for each hop. */
  bestPath(
    m: OracleMarket,
    tokenIn: string,
    tokenOut: string,
    amountIn: number,
  ): { out: number; path?: readonly string[]; pools?: readonly string[] }
  /** Splits the input into equal parts; each takes the best path after the previous parts. */
  chunked(
    m: OracleMarket,
    tokenIn: string,
    tokenOut: string,
    amountIn: number,
    parts: number,
  ): { out: number; used: ReadonlyMap<OracleEdge, number> }
}

/** Loads the oracle from a bench folder. */
export async function load(dir: string): Promise<Oracle> {
  return await import(pathToFileURL(join(dir, 'oracle', 'oracle.mjs')).href)
}

/** Accepted gap of the oracle's proof. With pools of two tokens it is always smaller; with more tokens not always. */
const PROOF = 1e-7

/**
 * Returns the optimal output. Returns zero if the oracle cannot prove it, or if the pools between the tokens cannot take
 * the whole input.
 */
export function bestOut(
  oracle: Oracle,
  market: OracleMarket,
  { amountIn, tokenIn, tokenOut }: { amountIn: number; tokenIn: string; tokenOut: string },
): number {
  const { flows, out, upper } = oracle.optimum(market, tokenIn, tokenOut, amountIn)
  const overflows = flows.some((flow) => {
    const edge = market.pair(flow.from, flow.to).find(({ pool }) => pool.id === flow.pool)
    return flow.in >= edge!.f.cap
  })
  return overflows || Math.abs(upper - out) > out * PROOF ? 0 : out
}
