import type { Devnet } from '@sluice/devnet'
import { startServer } from '@sluice/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProxy } from '../packages/rpc/test/startProxy.js'
import { patience, startDevnet } from './lib/startDevnet.js'
import { untilIndexed } from './lib/untilIndexed.js'

const chainId = 8453

let devnet: Devnet
let server: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [chainId] })
  server = await startServer({
    ...patience,
    port: 0,
    host: '127.0.0.1',
    deployments: devnet.deployments,
    rpcUrls: new Map(devnet.chains.map((chain) => [chain.chainId, [chain.rpcUrl]])),
    logLevel: 'silent',
    maxBlockAge: 'off',
    poolIndex: ':memory:',
  })
})

afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
})

test('default: the first quote for a token goes through its only neighbor, which is not a connector', async () => {
  const { BRINE, MOSS } = devnet.chains[0]!.tokens
  const query = { chain: 'base', in: BRINE!.address, out: 'USDC', amountIn: `${10n ** 20n}` }
  await untilIndexed(server)
  const { body: quote, status } = await ask(query)
  expect(status).toBe(200)
  expect(quote.meta.connectors).toEqual([MOSS!.address])
  expect(quote.route.legs[0]!.tokenOut).toBe(MOSS!.address)

  const named = await ask({ ...query, connectors: MOSS!.address })
  expect(named.body.amountOut).toBe(quote.amountOut)
  expect(named.body.route).toEqual(quote.route)
})

test('behavior: a prepared call contains the same hint, without a request to a node', async () => {
  const { BRINE, MOSS } = devnet.chains[0]!.tokens
  const query = { chain: 'base', in: BRINE!.address, out: 'USDC', amountIn: `${10n ** 20n}` }
  await untilIndexed(server)
  const response = await fetch(`${server.url}/api/quote/prepare?${new URLSearchParams(query)}`)
  const prepared = (await response.json()) as { request: { connectors: string } }
  expect(prepared.request.connectors).toBe(MOSS!.address)
})

test('behavior: the most swapped pairs get hints before the first request', async () => {
  const { rpcUrl } = devnet.chains[0]!
  let tried = 0
  const quoter = devnet.deployments.chains[chainId]!.versions['1.0.0']!.quoter.toLowerCase()
  const node = await startProxy(rpcUrl, (body, forward) => {
    const calls = [JSON.parse(body)].flat() as { method: string; params: [{ to: string }] }[]
    const isQuote = ({ method, params }: (typeof calls)[number]) =>
      method === 'eth_call' && params[0].to.toLowerCase() === quoter
    tried += calls.filter(isQuote).length
    return forward()
  })
  const fresh = await startServer({
    ...patience,
    port: 0,
    host: '127.0.0.1',
    deployments: devnet.deployments,
    rpcUrls: new Map([[chainId, [node.url]]]),
    logLevel: 'silent',
    maxBlockAge: 'off',
    poolIndex: ':memory:',
    swapIndex: { path: ':memory:' },
  })
  try {
    await expect.poll(() => tried, { timeout: 60_000, interval: 50 }).toBeGreaterThan(0)
  } finally {
    await fresh.stop()
    await node.close()
  }
})

type Quote = {
  amountOut: string
  route: { legs: { tokenOut: string }[] }
  meta: { connectors?: string[] }
}

async function ask(query: Record<string, string>): Promise<{ status: number; body: Quote }> {
  const response = await fetch(`${server.url}/api/quote?${new URLSearchParams(query)}`)
  const body = (await response.json()) as Quote
  return { status: response.status, body }
}
