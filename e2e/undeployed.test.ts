import { readdirSync, readFileSync } from 'node:fs'
import type { DecodeResponse, PrepareResponse, QuoteResponse } from '@sluice/api'
import { createRpc } from '@sluice/deploy'
import type { Devnet } from '@sluice/devnet'
import { type Registry, Undeployed } from '@sluice/domain'
import { createClient, decodeQuote, type PreparedQuote, prepareQuotes } from '@sluice/sdk'
import { startServer } from '@sluice/server'
import { type Address, type Hex, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readHubStorage } from '../bench/lib/readHubStorage.js'
import { inRepository } from '../bench/lib/repository.js'
import { runInShell } from './lib/runInShell.js'
import { patience, startDevnet } from './lib/startDevnet.js'

const chainId = 8453
const trade = {
  chain: 'base',
  in: 'WETH',
  out: 'USDC',
  amountIn: `${300n * 10n ** 18n}`,
  // Prepared calls ignore gas.
  gasPrice: '0',
  recipient: '0x00000000000000000000000000000000000A11CE',
}
const query = new URLSearchParams(trade)

let devnet: Devnet
/** A service without deployments. */
let server: Awaited<ReturnType<typeof startServer>>
let rpcUrl: string
let wanted: QuoteResponse

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [chainId] })
  rpcUrl = devnet.chains[0]!.rpcUrl
  const shared = {
    port: 0,
    rpcUrls: new Map([[chainId, [rpcUrl]]]),
    logLevel: 'silent',
    maxBlockAge: 'off',
    ...patience,
  } as const
  const deployed = await startServer({ ...shared, deployments: devnet.deployments })
  wanted = await read(await fetch(`${deployed.url}/api/quote?${query}`))
  await deployed.stop()
  server = await startServer({ ...shared, deployments: { schema: 1, chains: {} } })
})

afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
})

test('default: the code in a call equals the code that the deploy command creates', async () => {
  const { contracts, stateOverride } = Undeployed.find(chainId)!
  const created = devnet.deployments.chains[chainId]!.versions['1.0.0']!
  expect(contracts).toEqual({ ...created, router: zeroAddress })
  expect(stateOverride).toHaveProperty(created.router)
  const rpc = createRpc(rpcUrl)
  for (const [address, { code }] of Object.entries(stateOverride!))
    expect([address, code]).toEqual([
      address,
      await rpc.request<Hex>('eth_getCode', [address, 'latest']),
    ])
})

test('behavior: the generated Hub storage matches the chain configs (if not, generate it again)', async () => {
  const folder = inRepository('packages/deploy/chains')
  const configs = readdirSync(folder).flatMap((name) =>
    name.endsWith('.json') ? [JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'))] : [],
  )
  const generated = await readHubStorage(configs)
  for (const { chainId: id, storage } of generated) {
    const { contracts, stateOverride } = Undeployed.find(id) as Registry.ServedChain
    const states = Object.values(stateOverride!).flatMap(({ state }) => state ?? [])
    expect(stateOverride![contracts.hub]!.state).toEqual(storage.hub)
    expect(states).toEqual([storage.hub, storage.router])
  }
})

test('behavior: if nothing is deployed, quotes work and contain no transaction', async () => {
  await removeContracts()
  const quote = await read<QuoteResponse>(await fetch(`${server.url}/api/quote?${query}`))
  expect(swapsOf(quote)).toEqual(swapsOf(wanted))
  expect(quote).toMatchObject({ quote: { canExecute: true } })
  expect(quote.tx).toBeUndefined()
  expect(quote.txReason).toBe('The Router is not deployed on Base.')
})

test('behavior: a quote with nothing deployed is explained, without commands', async () => {
  await removeContracts()
  const path = `/api/quote?${query}&explain=1`
  let answer: QuoteResponse | undefined
  const ask = async () => {
    answer = await read<QuoteResponse>(await fetch(server.url + path))
    return answer.explain!.unknown
  }
  await expect.poll(ask).toEqual([])
  const { amountOut, explain } = answer!
  const { alternatives, call } = explain!
  expect([call!.curl, call!.cast]).toEqual([undefined, undefined])
  expect(alternatives!.map(({ kind }) => kind)).toEqual(['single_pool', 'single_path'])
  for (const each of alternatives!)
    expect(BigInt(each.amountOut)).toBeLessThanOrEqual(BigInt(amountOut))
})

test('behavior: the printed command of a prepared call works on any node', async () => {
  await removeContracts()
  const prepared = await read<PrepareResponse>(
    await fetch(`${server.url}/api/quote/prepare?${query}`),
  )
  expect(prepared.rpcRequest.params).toHaveLength(3)
  const answer = await runInShell(prepared.curl, rpcUrl)
  const { result } = JSON.parse(answer) as { result: string }
  const decoded = await read<DecodeResponse>(
    await fetch(`${server.url}/api/quote/decode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ request: prepared.request, result }),
    }),
  )
  expect(swapsOf(decoded)).toEqual(swapsOf(wanted))
  expect([decoded.tx, decoded.txReason]).toEqual([undefined, 'The Router is not deployed on Base.'])
})

test('behavior: the calls of a batch work on any node, and share one copy of the contracts', async () => {
  await removeContracts()
  const client = createClient({ baseUrl: server.url })
  const batch = await prepareQuotes(client, [trade, { ...trade, exact: true }])
  const answers = await Promise.all(
    batch.rpcBatch.map(({ method, params }) =>
      createRpc(rpcUrl).request<Hex>(method, params as unknown[]),
    ),
  )
  const quotes = await Promise.all(
    answers.map((result, place) => {
      const { request } = batch.items[place] as PreparedQuote
      return decodeQuote(client, { request, result })
    }),
  )
  expect(quotes.map(({ amountOut }) => amountOut)).toEqual(Array(2).fill(BigInt(wanted.amountOut)))
})

test('behavior: no endpoint reports the chain as deployed', async () => {
  const get = async (path: string) =>
    (await read(await fetch(server.url + path))) as {
      active: object
      chains: { chainId: number; live: boolean }[]
    }
  expect((await get('/api/deployments')).active).toEqual({})
  expect((await get('/api/health')).chains).toMatchObject([{ chainId, live: false }])
  expect((await get('/api/manifest')).chains[0]).toMatchObject({ chainId, live: false })
})

/** Output and route without venue numbers, which differ between the chain's own config and the devnet's. */
function swapsOf({ amountOut, route }: QuoteResponse) {
  return { amountOut, legs: route.legs.map(({ venue, ...leg }) => leg) }
}

/** Removes the protocol's contracts from the chain. */
async function removeContracts(): Promise<void> {
  const rpc = createRpc(rpcUrl)
  const addresses = Object.keys(Undeployed.find(chainId)!.stateOverride!) as Address[]
  for (const address of addresses) await rpc.request('hardhat_setCode', [address, '0x'])
}

async function read<answer>(answer: Response): Promise<answer> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return JSON.parse(text) as answer
}
