import { drawMarket } from '../optimizer/drawMarket.js'
import { drawTrades } from '../optimizer/drawTrades.js'
import { isPair, type Market, type Pair, type Pool } from '../optimizer/Market.js'
import type { Oracle } from '../optimizer/Oracle.js'
import * as Random from '../optimizer/Random.js'
import type { StoredTrade } from './loadTrades.js'

/** Pools that a generated market has, and how many such markets and trades there are. */
const sizes = [30, 60]
const marketsOfASize = 2
const tradesOfAMarket = 20
/** Fee tiers whose spacing divides the spacing of the drawn ticks. */
const v3Fees = [100, 500, 3000]

/** A pair keeps reserves in 112 bits, and a pool has no prices beyond this tick. */
const MOST_RESERVE = 2 ** 111
const MOST_TICK = 887_200

export type Generated = { set: string; market: Market; trades: StoredTrade[] }

/** Markets of made-up pools that can be put on a node, and trades of 100 to 5 million USD with their optimum. */
export function generateMarkets(oracle: Oracle, seed: number): Generated[] {
  return sizes.flatMap((size) =>
    Array.from({ length: marketsOfASize }, (_, index) => {
      const id = `generated-${size}-seed-${seed + index}`
      const random = Random.from(seed + index + 1000 * size)
      const market = marketOf(random, id, size)
      const whole = new oracle.Market(market, { filter: () => true })
      const trades = drawTrades(random, market, 3 * tradesOfAMarket).flatMap((trade, place) => {
        const { tokenIn, tokenOut } = trade
        const amountIn = Number(trade.amountIn)
        // Where the best path pays too few units, rounding is all that a trade measures.
        if (!(oracle.bestPath(whole, tokenIn, tokenOut, amountIn).out > 1e6)) return []
        const optimum = oracle.optimum(whole, tokenIn, tokenOut, amountIn).out
        const { decimals, usd } = market.tokens[tokenIn]!
        return [
          {
            id: `${id}:${place}`,
            market: id,
            scope: 'deployable' as const,
            tokenIn,
            tokenOut,
            amountIn: `${trade.amountIn}`,
            usd: (amountIn / 10 ** decimals) * usd,
            optimum,
          },
        ]
      })
      return { set: `generated-${size}`, market, trades: trades.slice(0, tradesOfAMarket) }
    }),
  )
}

/** Whether the real contracts take the pool. */
function canStand(pool: Pair): boolean {
  if (pool.kind === 'v2')
    return Number(pool.reserve0) < MOST_RESERVE && Number(pool.reserve1) < MOST_RESERVE
  return v3Fees.includes(pool.fee) && pool.ticks.every(([tick]) => Math.abs(tick) < MOST_TICK)
}

/** Of many drawn pools those that can stand side by side: a factory makes one for each pair and fee. */
function marketOf(random: Random.Random, id: string, size: number): Market {
  const drawn = drawMarket(random, id, 6 * size)
  const pools = new Map<string, Pool>()
  for (const pool of drawn.pools) {
    if (!isPair(pool) || !canStand(pool)) continue
    if (pools.size < size) pools.set([pool.kind, pool.fee, pool.token0, pool.token1].join(), pool)
  }
  const dexed = [...pools.values()].map((pool) => ({ ...pool, dex: `made-${pool.kind}` }))
  return { ...drawn, pools: dexed as Pool[] }
}
