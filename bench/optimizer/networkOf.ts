import { curveOf } from './curveOf.js'
import { connectors, isPair, type Trade } from './Market.js'
import type { OracleMarket } from './Oracle.js'

/** Arguments of `IOptimizer.optimize`. */
export type Network = { connectors: number; amountIn: bigint; edges: bigint[]; offsets: bigint[] }

/** Curves are loaded up to this multiple of the largest input that can reach them. */
const MARGIN = 2

/** Returns the layered network of a trade over the pools of `oracleMarket`. */
export function networkOf(trade: Trade, oracleMarket: OracleMarket): Network {
  const { tokenIn, tokenOut, amountIn } = trade
  const middle = connectors(trade)
  const reach = reachOf(trade, oracleMarket, middle)
  const network: Network = { connectors: middle.length, amountIn, edges: [], offsets: [] }
  const source = 2 * middle.length

  const connect = (token: string, next: string, from: number, to: number, most: number) => {
    for (const { pool } of most > 0 ? oracleMarket.pair(token, next) : []) {
      if (!isPair(pool)) continue
      const segments = curveOf(pool, pool.token0 === token, BigInt(Math.ceil(most * MARGIN)))
      if (segments.length === 0) continue
      network.offsets.push(BigInt(network.edges.length))
      network.edges.push(BigInt(from), BigInt(to), BigInt(segments.length))
      for (const s of segments)
        network.edges.push(s.liquidity, s.start, s.end, s.inBefore, s.outBefore)
    }
  }
  connect(tokenIn, tokenOut, source, source + 1, Number(amountIn))
  for (const [a, token] of middle.entries()) connect(tokenIn, token, source, a, Number(amountIn))
  for (const [a, token] of middle.entries())
    for (const [b, next] of middle.entries())
      if (a !== b) connect(token, next, a, middle.length + b, reach.first[a]!)
  for (const [b, token] of middle.entries())
    connect(token, tokenOut, middle.length + b, source + 1, reach.second[b]!)
  return network
}

/** Returns the maximum of each connector token after one swap, and after one or two, if every pool gets the whole input. */
function reachOf(trade: Trade, oracleMarket: OracleMarket, middle: string[]) {
  const most = (from: string, to: string, amount: number) =>
    oracleMarket.pair(from, to).reduce((sum, edge) => sum + edge.f.out(amount), 0)
  const first = middle.map((token) => most(trade.tokenIn, token, Number(trade.amountIn)))
  const second = middle.map((token, b) =>
    middle.reduce(
      (sum, other, a) => (a === b ? sum : sum + most(other, token, first[a]!)),
      first[b]!,
    ),
  )
  return { first, second }
}
