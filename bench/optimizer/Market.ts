import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A pool. Amounts are decimal strings in base units; `fee` is in pips (3000 is 0.3 %). */
export type Pool = Pair | Several

/** A pool of two or more tokens. */
export type Several = { id: string; fee: number; tokens: string[]; balances: string[] } & (
  | { kind: 'weighted'; weights: string[] }
  /** `rates` are the base units of one whole token; `A` is the value of Curve's `A()`. */
  | { kind: 'stable'; rates: string[]; A: number; feeOn: 'in' | 'out' }
)

/** A pool of two tokens, which the optimizer's network can contain. */
export type Pair =
  | {
      id: string
      kind: 'v2'
      fee: number
      token0: string
      token1: string
      reserve0: string
      reserve1: string
    }
  | {
      id: string
      kind: 'v3'
      fee: number
      token0: string
      token1: string
      sqrtPriceX96: string
      tick: number
      liquidity: string
      /** `[tick, liquidityNet]`, ascending. */
      ticks: [number, string][]
    }

export type Market = {
  id: string
  tokens: Record<string, { symbol: string; decimals: number; usd: number }>
  pools: Pool[]
}

export type Trade = { market: Market; tokenIn: string; tokenOut: string; amountIn: bigint }

/** Symbols of the tokens that a route may pass. */
const connectorSymbols = ['WETH', 'USDC', 'USDT', 'DAI', 'WBTC']

/** The markets of a bench folder. */
export function loadAll(dir: string): Market[] {
  const files = readdirSync(join(dir, 'markets')).filter((name) => name.endsWith('.json'))
  return files.sort().map((name) => JSON.parse(readFileSync(join(dir, 'markets', name), 'utf8')))
}

/** The stored trades of a bench folder whose pools the optimizer's network can contain. */
export function loadTrades(dir: string, markets: Market[]): Trade[] {
  const { instances } = JSON.parse(readFileSync(join(dir, 'instances.json'), 'utf8')) as {
    instances: {
      market: string
      scope: string
      tokenIn: string
      tokenOut: string
      amountIn: string
    }[]
  }
  return instances.flatMap((instance) => {
    const market = markets.find(({ id }) => id === instance.market)
    if (!market || instance.scope !== 'deployable') return []
    const { tokenIn, tokenOut, amountIn } = instance
    return [{ market, tokenIn, tokenOut, amountIn: BigInt(amountIn) }]
  })
}

/** Addresses of the market's connector tokens, without the two of the trade. */
export function connectors({ market, tokenIn, tokenOut }: Trade): string[] {
  return Object.keys(market.tokens).filter(
    (token) =>
      token !== tokenIn &&
      token !== tokenOut &&
      connectorSymbols.includes(market.tokens[token]!.symbol),
  )
}

/** Whether the network of a trade contains the pool. */
export function holds(trade: Trade): (pool: Pool) => boolean {
  const nodes = new Set([trade.tokenIn, trade.tokenOut, ...connectors(trade)])
  return (pool) => {
    if (!isPair(pool) || (pool.kind === 'v2' && pool.fee !== 3000)) return false
    return nodes.has(pool.token0) && nodes.has(pool.token1)
  }
}

export function isPair(pool: Pool): pool is Pair {
  return pool.kind === 'v2' || pool.kind === 'v3'
}
