import type { Devnet } from '@sluice/devnet'
import { startServer } from '@sluice/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDevnet } from './lib/startDevnet.js'

const chainId = 8453

let devnet: Devnet
let server: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [chainId] })
  server = await startServer({
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

test('a token that only a token of no renown leads to is reached through it', async () => {
  const { BRINE, MOSS } = devnet.chains[0]!.tokens
  const query = { chain: 'base', in: BRINE!.address, out: 'USDC', amountIn: `${10n ** 20n}` }
  const quote = await untilQuoted(query)
  expect(quote.meta.connectors).toEqual([MOSS!.address])
  expect(quote.route.legs[0]!.tokenOut).toBe(MOSS!.address)

  const { amountIn } = quote
  const named = await ask({ ...query, amountIn, connectors: MOSS!.address })
  expect(named.body.amountOut).toBe(quote.amountOut)
  expect(named.body.route).toEqual(quote.route)
})

type Quote = {
  amountIn: string
  amountOut: string
  route: { legs: { tokenOut: string }[] }
  meta: { connectors?: string[] }
}

/** The index is built beside the first answers. */
async function untilQuoted(query: Record<string, string>): Promise<Quote> {
  for (let tries = 0; tries < 100; tries++) {
    const { body, status } = await ask({ ...query, amountIn: `${10n ** 20n + BigInt(tries)}` })
    if (status === 200) return body
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('no quote')
}

async function ask(query: Record<string, string>): Promise<{ status: number; body: Quote }> {
  const response = await fetch(`${server.url}/api/quote?${new URLSearchParams(query)}`)
  const body = (await response.json()) as Quote
  return { status: response.status, body }
}
