import type { Market, Pool } from './Market.js'
import * as Random from './Random.js'

const DECIMALS = [6, 8, 9, 18]
const SYMBOLS = ['WETH', 'USDC', 'USDT', 'DAI', 'WBTC', 'AAA', 'BBB', 'CCC']
const FEES = [100, 500, 3000, 10_000] as const
const TICK = 60

/**
 * Draws a random market: tokens of 6, 8, 9 and 18 decimals and of very different prices; constant-product pools and
 * concentrated pools with irregular ranges, some of them dust, all slightly off the common price.
 */
export function drawMarket(random: Random.Random, id: string, count = 36): Market {
  const tokens: Market['tokens'] = {}
  for (const [k, symbol] of SYMBOLS.entries()) {
    const stable = symbol === 'USDC' || symbol === 'USDT' || symbol === 'DAI'
    const decimals = Random.pick(random, DECIMALS)
    // At most a tenth of a cent per base unit, like WBTC; with larger units only rounding would be measured.
    const maxUsd = 10 ** Math.min(5, decimals - 3)
    tokens[`0x${(k + 1).toString(16).padStart(40, '0')}`] = {
      symbol,
      decimals,
      usd: stable ? 1 : Random.between(random, 1e-6, maxUsd),
    }
  }
  const addresses = Object.keys(tokens)
  const pools: Pool[] = []
  while (pools.length < count) {
    const [token0, token1] = [Random.pick(random, addresses), Random.pick(random, addresses)]
    if (token0 >= token1) continue
    const depth = Random.between(random, 1e3, 1e8)
    const unit = (token: string) => tokens[token]!.usd / 10 ** tokens[token]!.decimals
    const skew = Random.between(random, 0.985, 1.015)
    const pool = { id: `${id}-${pools.length}`, token0, token1 }
    const [reserve0, reserve1] = [depth / unit(token0), (depth / unit(token1)) * skew]
    if (random() < 0.5)
      pools.push({ ...pool, kind: 'v2', fee: 3000, ...reserves(reserve0, reserve1) })
    else pools.push({ ...pool, ...concentrated(random, reserve0, reserve1) })
  }
  return { id, tokens, pools }
}

function reserves(reserve0: number, reserve1: number) {
  const whole = (amount: number) => BigInt(Math.floor(amount)).toString()
  return { reserve0: whole(reserve0), reserve1: whole(reserve1) }
}

/** Draws nested ranges around the price; inner ranges have more liquidity. */
function concentrated(random: Random.Random, reserve0: number, reserve1: number) {
  const price = Math.sqrt(reserve1 / reserve0)
  const tick = Math.floor((2 * Math.log(price)) / Math.log1p(0.0001))
  const nets = new Map<number, bigint>()
  let liquidity = 0n
  for (let k = 0; k < 7; k++) {
    const width = TICK * Math.ceil(Random.between(random, 1, 4 ** (k + 1)))
    const part =
      BigInt(Math.floor((Math.sqrt(reserve0 * reserve1) * 0.5 * 4 ** (6 - k) * random()) / 8)) + 1n
    const low = Math.floor((tick - width) / TICK) * TICK
    const high = Math.ceil((tick + width) / TICK) * TICK + TICK
    nets.set(low, (nets.get(low) ?? 0n) + part)
    nets.set(high, (nets.get(high) ?? 0n) - part)
    liquidity += part
  }
  const ticks = [...nets].sort(([a], [b]) => a - b).map(([at, net]) => [at, net.toString()])
  return {
    kind: 'v3' as const,
    fee: Random.pick(random, FEES),
    sqrtPriceX96: BigInt(Math.floor(price * 2 ** 96)).toString(),
    tick,
    liquidity: liquidity.toString(),
    ticks: ticks as [number, string][],
  }
}
