import { startDevnet } from '@sluice/devnet'
import { PlanCall } from '@sluice/domain'
import { startServer } from '@sluice/server'
import { type Address, numberToHex } from 'viem'
import { type Figure, quantile } from '../lib/figures.js'
import { countCalls } from './countCalls.js'

const chainId = 8453
const pairs = 300
const concurrent = 1_000

/**
 * Measures what the service adds to its `eth_call`: p50 of an uncached quote divided by p50 of the same bare `eth_call`,
 * measured alternately. Also counts the calls that a thousand identical concurrent requests cause.
 */
export async function run(): Promise<Figure[]> {
  const devnet = await startDevnet({ port: 0, chainIds: [chainId] })
  const chain = devnet.chains[0]!
  const { quoter } = devnet.deployments.chains[chainId]!.versions['1.0.0']!
  const upstream = await countCalls(chain.rpcUrl, quoter)
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    deployments: devnet.deployments,
    rpcUrls: new Map([[chainId, [upstream.url]]]),
    logLevel: 'silent',
    maxBlockAge: 'off',
    // All concurrent requests come from one address, in addition to kept connections.
    connections: { max: 2_000, maxPerAddress: 2_000 },
  })
  try {
    const tokens = {
      tokenIn: chain.tokens['WETH']!.address,
      tokenOut: chain.tokens['USDC']!.address,
    }
    const times = await measurePairs({ server: server.url, node: upstream.url, quoter, ...tokens })
    const ratio = quantile(times.quotes, 0.5) / quantile(times.calls, 0.5)
    const calls = await measureCoalescing(server.url, upstream)
    const figure = (name: string, value: number, unit: string) => ({
      bench: 'latency',
      figure: name,
      value,
      unit,
      set: 'all',
    })
    return [
      figure('http.p50', quantile(times.quotes, 0.5), 'ms'),
      figure('call.p50', quantile(times.calls, 0.5), 'ms'),
      figure('http.ratio', ratio, 'ratio'),
      figure('coalesced.calls', calls, 'count'),
    ]
  } finally {
    await server.stop()
    await upstream.stop()
    await devnet.stop()
  }
}

type Measured = {
  server: string
  node: string
  quoter: Address
  tokenIn: Address
  tokenOut: Address
}

/** Measures a quote and the bare call for the same trade, alternately. No cache contains the trade. */
async function measurePairs(measured: Measured): Promise<{ quotes: number[]; calls: number[] }> {
  const quotes: number[] = []
  const calls: number[] = []
  for (let index = 0; index < pairs + 20; ++index) {
    const amountIn = 10n ** 18n + BigInt(index)
    const quote = () => timed(() => getQuote(measured, amountIn))
    const call = () => timed(() => callNode(measured, amountIn))
    // The first of the two finds the node cold, so the order alternates.
    const [first, second] = index % 2 === 0 ? [quote, call] : [call, quote]
    const [a, b] = [await first(), await second()]
    // The first requests warm up compilers and connections.
    if (index < 20) continue
    quotes.push(index % 2 === 0 ? a : b)
    calls.push(index % 2 === 0 ? b : a)
  }
  return { quotes, calls }
}

async function getQuote({ server, tokenIn, tokenOut }: Measured, amountIn: bigint) {
  const query = new URLSearchParams({
    chain: `${chainId}`,
    in: tokenIn,
    out: tokenOut,
    amountIn: `${amountIn}`,
    gasPrice: '0',
  })
  const answer = await fetch(`${server}/api/quote?${query}`)
  const body = (await answer.json()) as { ok: boolean; meta: { cache: string } }
  if (!body.ok || body.meta.cache !== 'miss')
    throw new Error(`Not a fresh quote: ${JSON.stringify(body)}`)
}

async function callNode({ node, quoter, tokenIn, tokenOut }: Measured, amountIn: bigint) {
  const data = PlanCall.encode({
    tokenIn,
    tokenOut,
    amountIn,
    isExact: false,
    gasPrice: 0n,
    connectors: [],
  })
  const params = [{ to: quoter, data, gas: numberToHex(PlanCall.fullGas) }, 'latest']
  const answer = await fetch(node, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params }),
  })
  const { result } = (await answer.json()) as { result?: string }
  if (!result) throw new Error('The bare call failed.')
}

async function timed(action: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}

/** Counts the `eth_call`s to the node that identical concurrent requests cause. */
async function measureCoalescing(server: string, upstream: { calls(): number }): Promise<number> {
  const query = 'chain=base&in=USDC&out=WETH&amountIn=123456789'
  const before = upstream.calls()
  const answers = await Promise.all(
    Array.from({ length: concurrent }, async () => {
      const answer = await fetch(`${server}/api/quote?${query}`)
      return (await answer.json()) as { ok: boolean; amountOut: string }
    }),
  )
  const amounts = new Set(answers.map(({ ok, amountOut }) => (ok ? amountOut : 'error')))
  if (amounts.size !== 1 || amounts.has('error'))
    throw new Error(`Responses differ: ${[...amounts]}`)
  return upstream.calls() - before
}
