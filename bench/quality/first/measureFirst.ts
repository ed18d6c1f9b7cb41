import { setTimeout as sleep } from 'node:timers/promises'
import type { QuoteResponse } from '@sluice/api'
import { startServer } from '@sluice/server'
import type { StoredTrade } from '../loadTrades.js'
import { chainId, type Standing } from '../Standing.js'

/** Quality of a trade's first and second quote. */
export type Asked = {
  readonly id: string
  readonly usd: number
  /** Gross output divided by the optimum over all pools of the market. */
  readonly first: number
  readonly second: number
  readonly firstMs: number
  readonly secondMs: number
}

/** Time for the service to look for better hints after the first requests. */
const IMPROVING_MS = 400
const READY_MS = 60_000

/**
 * Requests each trade once over HTTP from a service that has just started. Requests each trade again on another block,
 * after the service had time to improve its hints.
 */
export async function measureFirst(
  standing: Standing,
  trades: readonly StoredTrade[],
): Promise<Asked[]> {
  return await withFresh(standing, async (url) => {
    const ask = async (trade: StoredTrade) => {
      const startedAt = performance.now()
      const body = await askService(url, standing, { ...trade, gasPrice: '0' })
      return { out: Number(body.quote?.grossOut ?? 0), ms: performance.now() - startedAt }
    }
    // Warms up connections and code that every request needs; this is not part of the measurement.
    for (const trade of trades.slice(0, 3)) await ask({ ...trade, amountIn: `${trade.amountIn}0` })
    await sleep(IMPROVING_MS * 3)
    const firsts = await inTurn(trades, ask)
    await sleep(IMPROVING_MS * trades.length)
    await standing.rpc.request('evm_mine', [])
    const seconds = await inTurn(trades, ask)
    return trades.map(({ id, optimum, usd }, index) => ({
      id,
      usd,
      first: firsts[index]!.out / optimum,
      second: seconds[index]!.out / optimum,
      firstMs: firsts[index]!.ms,
      secondMs: seconds[index]!.ms,
    }))
  })
}

/** Starts a service on the market's node, and waits until its pool index is complete. */
export async function withFresh<result>(
  { deployments, url }: Standing,
  act: (url: string) => Promise<result>,
): Promise<result> {
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    deployments,
    rpcUrls: new Map([[chainId, [url]]]),
    logLevel: 'silent',
    maxBlockAge: 'off',
    poolIndex: ':memory:',
  })
  try {
    await untilIndexed(server.url)
    return await act(server.url)
  } finally {
    await server.stop()
  }
}

/** Requests a trade over HTTP. Without `gasPrice`, the service uses its own. */
export async function askService(
  url: string,
  { tokens }: Standing,
  { amountIn, gasPrice, tokenIn, tokenOut }: StoredTrade & { gasPrice?: string },
): Promise<Partial<QuoteResponse>> {
  const pair = { in: tokens[tokenIn]!, out: tokens[tokenOut]! }
  const query = { chain: `${chainId}`, amountIn, ...pair, ...(gasPrice && { gasPrice }) }
  const response = await fetch(`${url}/api/quote?${new URLSearchParams(query)}`)
  return (await response.json()) as Partial<QuoteResponse>
}

async function untilIndexed(url: string): Promise<void> {
  const endsAt = performance.now() + READY_MS
  while (performance.now() < endsAt) {
    const { chains } = (await (await fetch(`${url}/api/health`)).json()) as {
      chains: { poolsIndexed?: number }[]
    }
    if (chains.every(({ poolsIndexed }) => poolsIndexed !== undefined)) return
    await sleep(20)
  }
  throw new Error('The pool index did not catch up with the chain.')
}

async function inTurn<item, result>(items: readonly item[], act: (item: item) => Promise<result>) {
  const results: result[] = []
  for (const item of items) results.push(await act(item))
  return results
}
