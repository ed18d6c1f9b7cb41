import { readdirSync, readFileSync } from 'node:fs'
import type { DecodeResponse, PrepareResponse, QuoteResponse } from '@sluice/api'
import { createRpc, deployGeneration, parseChainConfig } from '@sluice/deploy'
import type { Devnet } from '@sluice/devnet'
import { type Deployments, type Registry, Undeployed } from '@sluice/domain'
import { createClient, decodeQuote, type PreparedQuote, prepareQuotes } from '@sluice/sdk'
import type { RunningServer } from '@sluice/server'
import { type Hex, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readHubStorage } from '../bench/lib/readHubStorage.js'
import { inRepository } from '../bench/lib/repository.js'
import { runInShell } from './lib/runInShell.js'
import { serveDevnet } from './lib/serveDevnet.js'
import { startDevnet } from './lib/startDevnet.js'

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

/** The same chain with the protocol, as the chain's own config describes it, and without it. */
let deployed: Devnet
let deployments: Deployments.Deployments
let bare: Devnet
/** A service without deployments, on the chain without the protocol. */
let server: RunningServer
let rpcUrl: string
let wanted: QuoteResponse

beforeAll(async () => {
  const options = { port: 0, chainIds: [chainId], isDeployed: false }
  deployed = await startDevnet(options)
  bare = await startDevnet(options)
  rpcUrl = bare.chains[0]!.rpcUrl
  const config = parseChainConfig(chainConfigs().find((each) => each.chainId === chainId))
  const rpc = createRpc(deployed.chains[0]!.rpcUrl)
  ;({ deployments } = await deployGeneration(rpc, { config }))
  const reference = await serveDevnet({ ...deployed, deployments })
  wanted = await read(await fetch(`${reference.url}/api/quote?${query}`))
  await reference.stop()
  server = await serveDevnet(bare)
})

afterAll(async () => {
  await server?.stop()
  await bare?.stop()
  await deployed?.stop()
})

test('default: the code in a call equals the code that the deploy command creates', async () => {
  const { contracts, stateOverride } = Undeployed.find(chainId)!
  const created = deployments.chains[chainId]!.versions['1.0.0']!
  expect(contracts).toEqual({ ...created, router: zeroAddress })
  expect(stateOverride).toHaveProperty(created.router)
  const rpc = createRpc(deployed.chains[0]!.rpcUrl)
  for (const [address, { code }] of Object.entries(stateOverride!))
    expect([address, code]).toEqual([
      address,
      await rpc.request<Hex>('eth_getCode', [address, 'latest']),
    ])
})

test('behavior: the generated Hub storage matches the chain configs (if not, generate it again)', async () => {
  const generated = await readHubStorage(chainConfigs())
  for (const { chainId: id, storage } of generated) {
    const { contracts, stateOverride } = Undeployed.find(id) as Registry.ServedChain
    const states = Object.values(stateOverride!).flatMap(({ state }) => state ?? [])
    expect(stateOverride![contracts.hub]!.state).toEqual(storage.hub)
    expect(states).toEqual([storage.hub, storage.router])
  }
})

test('behavior: if nothing is deployed, quotes work and contain no transaction', async () => {
  const quote = await read<QuoteResponse>(await fetch(`${server.url}/api/quote?${query}`))
  expect(swapsOf(quote)).toEqual(swapsOf(wanted))
  expect(quote).toMatchObject({ quote: { canExecute: true } })
  expect(quote.tx).toBeUndefined()
  expect(quote.txReason).toBe('The Router is not deployed on Base.')
})

test('behavior: a quote with nothing deployed is explained, without commands', async () => {
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
  const { chains } = await get('/api/manifest')
  expect(chains.find((chain) => chain.chainId === chainId)).toMatchObject({ live: false })
})

function swapsOf({ amountOut, route }: QuoteResponse) {
  return { amountOut, legs: route.legs }
}

function chainConfigs(): { chainId: number }[] {
  const folder = inRepository('packages/deploy/chains')
  return readdirSync(folder).flatMap((name) =>
    name.endsWith('.json') ? [JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'))] : [],
  )
}

async function read<answer>(answer: Response): Promise<answer> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return JSON.parse(text) as answer
}
