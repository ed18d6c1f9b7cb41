import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Market, Pool } from './Market.js'

/** One direction of one pool as the oracle sees it, in float64. */
export type OracleEdge = {
  pool: Pool
  from: string
  to: string
  f: { out(amountIn: number): number }
}

/** A market as the oracle holds it. */
export type OracleMarket = { pair(from: string, to: string): OracleEdge[] }

/** The float solver that comes with the markets; see the README beside it. */
export type Oracle = {
  Market: new (market: Market, options: { filter: (pool: Pool) => boolean }) => OracleMarket
  /** `out` is a feasible output, `upper` proves how far above it the optimum can lie. */
  optimum(
    m: OracleMarket,
    tokenIn: string,
    tokenOut: string,
    amountIn: number,
  ): { out: number; upper: number }
  /** Best path with one pool for each hop. */
  bestPath(
    m: OracleMarket,
    tokenIn: string,
    tokenOut: string,
    amountIn: number,
  ): { out: number; pools?: readonly string[] }
  /** Equal parts, each on the best path given the parts before. */
  chunked(
    m: OracleMarket,
    tokenIn: string,
    tokenOut: string,
    amountIn: number,
    parts: number,
  ): { out: number; used: ReadonlyMap<unknown, number> }
}

/** Loads the oracle from a bench folder. */
export async function load(dir: string): Promise<Oracle> {
  return await import(pathToFileURL(join(dir, 'oracle', 'oracle.mjs')).href)
}
