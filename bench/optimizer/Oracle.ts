import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Market, Pool } from './Market.js'

/** One direction of one pool as the oracle sees it, in float64. */
export type OracleEdge = {
  pool: Pool
  from: string
  to: string
  f: {
    /** Amount out, and the price at the margin, at an input; the price of the first unit. */
    out(amountIn: number): number
    d(amountIn: number): number
    d0: number
    /** The most that is of use; the input at which the price falls to one, and how that changes with the price. */
    cap: number
    xAt(price: number): number
    dx(price: number, x: number): number
    /** Smooth parts: output, price and its change after so much of a part. */
    pieces: { x0: number; cap: number; f(x: number): [number, number, number] }[]
  }
}

/** What one directed pool takes of an optimal flow. */
export type Flow = { pool: string; from: string; to: string; in: number }

/** A market as the oracle holds it. */
export type OracleMarket = {
  market: Market
  /** Every directed pool, and the same by the tokens that it leads from and to. */
  edges: OracleEdge[]
  by: Map<string, Map<string, OracleEdge[]>>
  pair(from: string, to: string): OracleEdge[]
}

/** The float solver that comes with the markets; see the README beside it. */
export type Oracle = {
  Market: new (market: Market, options: { filter: (pool: Pool) => boolean }) => OracleMarket
  /** `out` is a feasible output, `upper` proves how far above it the optimum can lie. */
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
  /** Equal parts, each on the best path given the parts before. */
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

/** Wider than what the oracle proves of pools of two tokens; of pools of more it cannot always prove as much. */
const PROOF = 1e-7

/**
 * The optimal output. Zero where it is not proven, and where no flow takes all of the input, because the pools that
 * connect the tokens are full.
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
