import type { Market, Trade } from './Market.js'
import * as Random from './Random.js'

const [LEAST_USD, MOST_USD] = [100, 10_000_000]

/** Draws trades of 100 to 10 million USD between random tokens of known price. */
export function drawTrades(random: Random.Random, market: Market, count: number): Trade[] {
  const tokens = Object.keys(market.tokens).filter((token) => market.tokens[token]!.usd > 0)
  const trades: Trade[] = []
  while (trades.length < count) {
    const [tokenIn, tokenOut] = [Random.pick(random, tokens), Random.pick(random, tokens)]
    if (tokenIn === tokenOut) continue
    const { decimals, usd } = market.tokens[tokenIn]!
    const amount = (Random.between(random, LEAST_USD, MOST_USD) / usd) * 10 ** decimals
    if (amount >= 1)
      trades.push({ market, tokenIn, tokenOut, amountIn: BigInt(Math.floor(amount)) })
  }
  return trades
}
