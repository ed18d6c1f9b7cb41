import { drawTrades } from '../../optimizer/drawTrades.js'
import type { Market } from '../../optimizer/Market.js'
import { bestOut, type Oracle } from '../../optimizer/Oracle.js'
import type * as Random from '../../optimizer/Random.js'
import type { StoredTrade } from '../loadTrades.js'
import type { Standing } from '../Standing.js'

/** Trades whose best path pays fewer base units are skipped: they would only measure rounding. */
const LEAST_UNITS = 1e6
/** Maximum draws per trade. */
const TRIES = 60

/**
 * Draws `count` trades on a market, with their optimum over all of its pools.
 *
 * @param options.minWorth Minimum value of the output, relative to the input, at the market's prices. On real markets most
 * tokens have too little liquidity for most sizes, and nobody sells for nothing.
 */
export function drawMade(
  random: Random.Random,
  oracle: Oracle,
  { market, open }: Standing,
  { count, minWorth = 0 }: { count: number; minWorth?: number },
): StoredTrade[] {
  const whole = open()
  const trades: StoredTrade[] = []
  for (let tries = 0; trades.length < count && tries < TRIES * count; tries++) {
    const [trade] = drawTrades(random, market, 1)
    const { tokenIn, tokenOut } = trade!
    const amountIn = Number(trade!.amountIn)
    if (!(oracle.bestPath(whole, tokenIn, tokenOut, amountIn).out > LEAST_UNITS)) continue
    const optimum = bestOut(oracle, whole, { tokenIn, tokenOut, amountIn })
    if (optimum === 0) continue
    const usd = worthOf(market, tokenIn, amountIn)
    if (worthOf(market, tokenOut, optimum) < minWorth * usd) continue
    trades.push({
      id: `${market.id}:${tries}`,
      market: market.id,
      scope: 'deployable',
      tokenIn,
      tokenOut,
      amountIn: `${trade!.amountIn}`,
      usd,
      optimum,
    })
  }
  return trades
}

/** Value in US dollars. */
function worthOf({ tokens }: Market, token: string, amount: number): number {
  const { decimals, usd } = tokens[token]!
  return (amount / 10 ** decimals) * usd
}
