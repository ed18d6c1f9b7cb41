import type { DecodeResponse, PrepareResponse, QuoteResponse } from '@sluice/api'
import type { Devnet } from '@sluice/devnet'
import { startServer } from '@sluice/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runInShell } from './lib/runInShell.js'
import { patience, startDevnet } from './lib/startDevnet.js'
import { unnamed } from './lib/unnamed.js'

const recipient = '0x00000000000000000000000000000000000A11CE'

let devnet: Devnet
let server: Awaited<ReturnType<typeof startServer>>
/** A service that has the registry and no node. */
let offline: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  const shared = {
    port: 0,
    deployments: devnet.deployments,
    logLevel: 'silent',
    maxBlockAge: 'off',
    ...patience,
  } as const
  const rpcUrls = new Map(devnet.chains.map(({ chainId, rpcUrl }) => [chainId, [rpcUrl]]))
  server = await startServer({ ...shared, rpcUrls })
  const nowhere = new Map(devnet.chains.map(({ chainId }) => [chainId, ['http://127.0.0.1:1']]))
  offline = await startServer({ ...shared, rpcUrls: nowhere })
})

afterAll(async () => {
  await offline?.stop()
  await server?.stop()
  await devnet?.stop()
})

describe.each([8453, 1, 10, 42161])('on chain %i', (chainId) => {
  test.each([
    ['one leg', { in: 'ETH', out: 'USDC', amountIn: `${10n ** 17n}` }],
    ['a split', { in: 'WETH', out: 'USDC', amountIn: `${300n * 10n ** 18n}`, slippageBps: '30' }],
    ['the reverse pair', { in: 'USDC', out: 'ETH', amountIn: '5000000000', deadlineSec: '600' }],
    ['execution grade', { in: 'WETH', out: 'USDC', amountIn: `${10n ** 18n}`, exact: '1' }],
    ['an output', { in: 'WETH', out: 'USDC', amountOut: '2500000000', slippageBps: '30' }],
    ['a gas price', { in: 'WETH', out: 'USDC', amountIn: `${10n ** 20n}`, gasPrice: '1000000000' }],
  ])("default, %s: prepare, the caller's node and decode give the quote", async (_, trade) => {
    const { rpcUrl } = devnet.chains.find((chain) => chain.chainId === chainId)!
    const query = new URLSearchParams({ chain: `${chainId}`, gasPrice: '0', ...trade, recipient })
    const prepared = await get<PrepareResponse>(`${offline.url}/api/quote/prepare?${query}`)
    const answer = JSON.parse(await runInShell(prepared.curl, rpcUrl)) as { result: string }
    const decoded = await post<DecodeResponse>(offline.url + prepared.decode.path, {
      request: prepared.request,
      result: answer.result,
    })
    const quote = await get<QuoteResponse>(`${server.url}/api/quote?${query}`)
    const { integrity, witness, ...same } = decoded
    const { meta, ...named } = quote
    const wanted = { ...named, route: unnamed(named.route) }
    expect(wanted.tx).toBeDefined()
    expect(JSON.stringify(apartFromDeadline(same))).toBe(JSON.stringify(apartFromDeadline(wanted)))
    expect(witness!.blockNumber).toBe(`${meta!.blockNumber}`)
    expect(integrity).toEqual({ bound: true, strict: true, arithmetic: true, witness: true })
  })
})

test('behavior: a batch is prepared as one JSON-RPC batch and decoded as items', async () => {
  const { rpcUrl } = devnet.chains[0]!
  const item = { chain: 'base', in: 'WETH', out: 'USDC' }
  const requests = [1n, 2n, 3n].map((eth) => ({ ...item, amountIn: `${eth * 10n ** 18n}` }))
  const prepared = await post<{ curl: string; items: PrepareResponse[] }>(
    `${offline.url}/api/quote/prepare`,
    { requests },
  )
  const answers = JSON.parse(await runInShell(prepared.curl, rpcUrl)) as {
    id: number
    result: string
  }[]
  const items = answers.map((result) => ({ request: prepared.items[result.id]!.request, result }))
  const { results } = await post<{ results: DecodeResponse[] }>(`${offline.url}/api/quote/decode`, {
    items,
  })
  expect(results.map(({ amountIn, ok }) => [ok, amountIn])).toEqual(
    requests.map(({ amountIn }) => [true, amountIn]),
  )
})

/** Position of the deadline in the calldata's hex characters: after 0x, the selector and four words. */
const deadlineAt = 2 + 8 + 4 * 64

/** Removes the deadline from a quote, because it depends on the second in which the calldata was built. */
function apartFromDeadline({ tx, ...quote }: Pick<QuoteResponse, 'tx'>) {
  const { data, deadline, ...call } = tx!
  const end = deadlineAt + 64
  expect(BigInt(`0x${data.slice(deadlineAt, end)}`)).toBe(BigInt(deadline!))
  return { ...quote, ...call, data: data.slice(0, deadlineAt) + data.slice(end) }
}

async function get<answer>(url: string): Promise<answer> {
  return read(await fetch(url))
}

async function post<answer>(url: string, body: unknown): Promise<answer> {
  const headers = { 'content-type': 'application/json' }
  return read(await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }))
}

async function read<answer>(answer: Response): Promise<answer> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return JSON.parse(text) as answer
}
