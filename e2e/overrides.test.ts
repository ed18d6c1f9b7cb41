import type {
  BatchResponse,
  DecodeResponse,
  ErrorResponse,
  PrepareResponse,
  QuoteResponse,
} from '@sluice/api'
import type { Devnet, DevnetChain } from '@sluice/devnet'
import {
  createClient,
  getQuote,
  IntegrityError,
  InvalidParameterError,
  type Overrides,
  prepareQuote,
} from '@sluice/sdk'
import { readRegistry, verifyTransaction } from '@sluice/sdk/verify'
import { quote as quoteOnNode, repeatQuote } from '@sluice/sdk/viem'
import type { RunningServer } from '@sluice/server'
import {
  type Address,
  concatHex,
  erc20Abi,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  parseAbi,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, describe, expect, test } from 'vitest'
import { receiptOf } from '../packages/devnet/test/clients.js'
import { runInShell } from './lib/runInShell.js'
import { serveBeforeAll } from './lib/serveBeforeAll.js'
import { nodeKind } from './lib/startDevnet.js'
import { unnamed } from './lib/unnamed.js'
import { type Wallet, walletOn } from './lib/walletOn.js'

let devnet: Devnet
let server: RunningServer
let chain: DevnetChain
let wallet: Wallet

serveBeforeAll({ chainIds: [8453] }, (running) => {
  ;({ devnet, server } = running)
  chain = devnet.chains[0]!
  wallet = walletOn(chain, privateKeyToAccount(devnet.account.privateKey))
})

const pairAbi = parseAbi([
  'function getReserves() view returns (uint112, uint112, uint32)',
  'function token0() view returns (address)',
  'function swap(uint256, uint256, address, bytes)',
])
/** Slot in which a pair of Uniswap V2 keeps both reserves and the time of its last trade. */
const reservesSlot = numberToHex(8, { size: 32 })
const recipient = '0x00000000000000000000000000000000000a11ce'
const ether = 10n ** 18n
/** EDR has no tracer that tells what a call changes. */
const isTracing = !nodeKind.startsWith('edr')

/** A trade that only Uniswap V2 may fill, so that its direct pair takes most of it. */
const trade = {
  chain: 'base',
  in: 'WETH',
  out: 'USDC',
  amountIn: `${ether}`,
  gasPrice: '0',
  includeSources: 'uniswap-v2',
} as const

type Pair = { readonly pool: Address; readonly wethIsFirst: boolean }
let pair: Pair

beforeEach(async () => {
  const { route } = await quote(trade)
  const { usdc, weth } = tokens()
  const leg = route.legs.find(({ tokenIn, tokenOut }) => tokenIn === weth && tokenOut === usdc)!
  const address = leg.pool as Address
  const first = await wallet.readContract({ address, abi: pairAbi, functionName: 'token0' })
  pair = { pool: address, wethIsFirst: first === weth }
})

function tokens() {
  return { weth: chain.tokens['WETH']!.address, usdc: chain.tokens['USDC']!.address }
}

/** Someone buys WETH of the pair, so that who sells WETH later gets more. */
type Purchase = { readonly usdc: bigint; readonly weth: bigint; readonly overrides: Overrides }

/** A purchase for a share of the pair's USDC, by the pair's formula: x * y = k after a fee of 0.3 %. */
async function purchaseOf(percent: bigint): Promise<Purchase> {
  const { pool: address, wethIsFirst } = pair
  const [first, second, time] = await wallet.readContract({
    address,
    abi: pairAbi,
    functionName: 'getReserves',
  })
  const held = wethIsFirst ? { weth: first, usdc: second } : { weth: second, usdc: first }
  const usdc = (held.usdc * percent) / 100n
  const weth = (held.weth * usdc * 997n) / (held.usdc * 1_000n + usdc * 997n)
  const left = { weth: held.weth - weth, usdc: held.usdc + usdc }
  const [low, high] = wethIsFirst ? [left.weth, left.usdc] : [left.usdc, left.weth]
  const word = numberToHex((BigInt(time) << 224n) | (high << 112n) | low, { size: 32 })
  return { usdc, weth, overrides: { [address]: { stateDiff: { [reservesSlot]: word } } } }
}

/** Makes the purchase, at the pair itself. */
async function land({ usdc, weth }: Purchase): Promise<void> {
  const { pool, wethIsFirst } = pair
  const sent = await wallet.writeContract({
    address: tokens().usdc,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [pool, usdc],
  })
  await receiptOf(wallet, sent)
  const hash = await wallet.writeContract({
    address: pool,
    abi: pairAbi,
    functionName: 'swap',
    args: wethIsFirst ? [weth, 0n, recipient, '0x'] : [0n, weth, recipient, '0x'],
  })
  await receiptOf(wallet, hash)
}

describe('a pending trade on one pool', () => {
  test('default: the quote before it lands is the quote after it, to the base unit', async () => {
    const purchase = await purchaseOf(10n)
    const { overrides } = purchase
    const before = await quote(trade)
    const [pending] = await batch([{ ...trade, overrides }])
    const later = await quote(trade)
    await land(purchase)
    const after = await quote(trade)
    expect(pending.amountOut).toBe(after.amountOut)
    expect(unnamed(pending.route)).toEqual(unnamed(after.route))
    expect(BigInt(pending.amountOut)).toBeGreaterThan((BigInt(before.amountOut) * 101n) / 100n)
    expect(later.amountOut).toBe(before.amountOut)
    expect(pending).toMatchObject({
      overrides: { accounts: 1, slots: 1, digest: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
      warnings: [{ code: 'state_overridden' }],
      quote: { canExecute: false, reason: expect.stringContaining('`overrides`') },
      meta: { cache: 'miss', call: { stateOverride: overrides } },
    })
    for (const name of ['overrides', 'warnings']) expect(after).not.toHaveProperty(name)
  })

  test('behavior: an output, a dry run and the whole text in a URL', async () => {
    const purchase = await purchaseOf(5n)
    const { overrides } = purchase
    const { amountIn: _, ...rest } = trade
    const forOutput = { ...rest, amountOut: '1000000000' }
    // A dry run moves tokens, so the pair must hold what its reserves say.
    const balances = await balancesAfter(purchase)
    const funded = { ...balances, ...overrides }
    const texts = { overrides: JSON.stringify(overrides) }
    const [bought, run, stated] = [
      ...(await batch([
        { ...forOutput, overrides },
        { ...trade, exact: true, overrides: funded },
      ])),
      await quote({ ...trade, ...texts }),
    ] as const
    await land(purchase)
    const [after, boughtAfter] = await batch([{ ...trade, exact: true }, forOutput])
    expect(bought!.amountIn).toBe(boughtAfter!.amountIn)
    expect(run!.amountOut).toBe(after!.amountOut)
    expect(stated!.amountOut).toBe(after!.amountOut)
    expect(run).toMatchObject({ mode: 'exact', overrides: { accounts: 3, slots: 3 } })
  })

  test('behavior: an explanation looks at the same state, and its command repeats the call', async () => {
    const { overrides } = await purchaseOf(8n)
    const { explain } = (await batch([{ ...trade, overrides, explain: true }]))[0]
    const [pool] = explain!.alternatives!
    const plain = (await batch([{ ...trade, explain: true }]))[0].explain!.alternatives![0]!
    expect(pool).toMatchObject({ kind: 'single_pool', legs: [{ pool: pair.pool }] })
    expect(plain).toMatchObject({ kind: 'single_pool', legs: [{ pool: pair.pool }] })
    expect(BigInt(pool!.grossOut)).toBe(await paidAfter(overrides))
    expect(BigInt(plain.grossOut)).toBeLessThan(BigInt(pool!.grossOut))
    const answer = JSON.parse(await runInShell(explain!.call!.curl!, chain.rpcUrl))
    expect(answer).toMatchObject({ result: expect.stringMatching(/^0x[0-9a-f]+$/) })
    expect(explain!.call!.cast).toContain(`--override-state-diff ${pair.pool}:${reservesSlot}:0x`)
  })
})

/** What the pair pays for the input of the trade on a state, by its formula. */
async function paidAfter(overrides: Overrides): Promise<bigint> {
  const word = BigInt(overrides[pair.pool]!.stateDiff![reservesSlot]!)
  const [low, high] = [word & (2n ** 112n - 1n), (word >> 112n) & (2n ** 112n - 1n)]
  const [weth, usdc] = pair.wethIsFirst ? [low, high] : [high, low]
  return (usdc * ether * 997n) / (weth * 1_000n + ether * 997n)
}

/** Changes of the pair's balances. */
async function balancesAfter(purchase: Purchase): Promise<Overrides> {
  const { usdc, weth } = tokens()
  const entries = await Promise.all(
    (
      [
        [weth, -purchase.weth],
        [usdc, purchase.usdc],
      ] as const
    ).map(async ([token, change]) => {
      const held = await wallet.readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [pair.pool],
      })
      const slot = await balanceSlot(token, pair.pool, held)
      return [token, { stateDiff: { [slot]: numberToHex(held + change, { size: 32 }) } }]
    }),
  )
  return Object.fromEntries(entries) as Overrides
}

/** The slot of a mapping that holds the balance. */
async function balanceSlot(token: Address, holder: Address, held: bigint): Promise<Hex> {
  for (let index = 0n; index < 32n; index++) {
    const slot = keccak256(concatHex([pad(holder), numberToHex(index, { size: 32 })]))
    const word = await wallet.getStorageAt({ address: token, slot })
    if (BigInt(word ?? '0x0') === held) return slot
  }
  throw new Error(`no slot of ${token} holds the balance`)
}

test('default: prepare, the own node and decode give the quote, which has nothing to sign', async () => {
  const purchase = await purchaseOf(5n)
  const balances = await balancesAfter(purchase)
  const asked = { ...trade, recipient, overrides: { ...balances, ...purchase.overrides } }
  const { items } = await post<{ items: [PrepareResponse] }>('/api/quote/prepare', {
    requests: [asked],
  })
  const [prepared] = items
  const answer = JSON.parse(await runInShell(prepared.curl, chain.rpcUrl)) as { result: string }
  const decoded = await post<DecodeResponse>('/api/quote/decode', {
    request: prepared.request,
    result: answer.result,
  })
  const [served] = await batch([asked])
  const { integrity, witness, ...same } = decoded
  const { meta, sources, tokens: _, ...named } = served
  const [found, wanted] = [same, named].map((each) => ({ ...each, route: unnamed(each.route) }))
  for (const name of ['sources', 'tokens']) delete (found as Record<string, unknown>)[name]
  expect(JSON.stringify(found)).toBe(JSON.stringify(wanted))
  expect(same.txReason).toContain('`overrides`')
  expect(same).not.toHaveProperty('tx')
  const plain = await quote({ ...trade, recipient })
  expect(plain).toHaveProperty('tx')
  expect(BigInt(same.amountOut)).toBeGreaterThan(BigInt(plain.amountOut))

  const { overrides: asIs, ...rest } = prepared.request
  for (const request of [
    rest,
    { ...rest, overrides: { ...asIs, [recipient]: { balance: '0x1' } } },
  ])
    expect(await refusal('/api/quote/decode', { request, result: answer.result })).toMatchObject({
      code: 'bad_request',
      error: expect.stringContaining('digest'),
    })
})

test('behavior: quotes with and without a state share a block, and nothing else', async () => {
  const { overrides } = await purchaseOf(5n)
  const [plain, pending, again] = await batch([trade, { ...trade, overrides }, trade])
  expect(again!.amountOut).toBe(plain!.amountOut)
  expect(BigInt(pending!.amountOut)).toBeGreaterThan(BigInt(plain!.amountOut))
  expect(new Set([plain, pending, again].map((each) => each!.meta!.blockNumber)).size).toBe(1)
  expect(plain).not.toHaveProperty('overrides')

  const query = new URLSearchParams({ ...trade, overrides: JSON.stringify(overrides) })
  const crowd = Array.from({ length: 8 }, () => fetch(`${server.url}/api/quote?${query}`))
  const strangers = Array.from({ length: 8 }, () => quote(trade))
  for (const response of await Promise.all(crowd)) {
    expect(response.headers.get('cache-control')).toBe('no-store')
    const one = (await response.json()) as QuoteResponse
    expect([one.amountOut, one.meta!.cache]).toEqual([pending!.amountOut, 'miss'])
  }
  for (const other of await Promise.all(strangers)) expect(other.amountOut).toBe(plain!.amountOut)
})

/** What debug_traceCall of geth and Anvil tells about the accounts that a transaction changes. */
type Diff = {
  readonly [name in 'pre' | 'post']: {
    readonly [address: Address]: { readonly storage?: { readonly [slot: Hex]: Hex } }
  }
}

/** Every slot that a transaction would change. A slot that becomes zero is only in `pre`. */
function changesIn({ post, pre }: Diff): Overrides {
  const zero = numberToHex(0, { size: 32 })
  const accounts = Object.keys({ ...pre, ...post }) as Address[]
  return Object.fromEntries(
    accounts.flatMap((address) => {
      const cleared = Object.keys(pre[address]?.storage ?? {}).map((slot) => [slot, zero])
      const stateDiff = { ...Object.fromEntries(cleared), ...post[address]?.storage }
      return Object.keys(stateDiff).length === 0 ? [] : [[address, { stateDiff }]]
    }),
  )
}

test.runIf(isTracing)(
  'default: a trade over many pools, as a node traces it, is quoted before it lands',
  async () => {
    const { account, chain: viemChain } = wallet
    const asked = { chain: 'base', in: 'WETH', out: 'USDC', gasPrice: '0' }
    const sold = { ...asked, amountIn: `${200n * ether}`, slippageBps: '500' }
    const { approval, route, tx } = await quote({ ...sold, recipient: account.address })
    expect(route.legs.length).toBeGreaterThan(3)
    const approved = await wallet.writeContract({
      address: approval!.token as Address,
      abi: erc20Abi,
      functionName: 'approve',
      args: [approval!.spender as Address, BigInt(approval!.amount)],
    })
    await receiptOf(wallet, approved)
    const call = { to: tx!.to as Address, data: tx!.data as Hex }
    const diff = await wallet.request<{
      Method: 'debug_traceCall'
      Parameters: unknown[]
      ReturnType: Diff
    }>({
      method: 'debug_traceCall',
      params: [
        { ...call, from: account.address, gas: numberToHex(BigInt(tx!.gas!)) },
        'latest',
        { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
      ],
    })
    const overrides = changesIn(diff)
    const trades = ['1', '100'].map((units) => ({ ...asked, amountIn: `${BigInt(units) * ether}` }))
    const before = await batch(trades)
    const pending = await batch(trades.map((each) => ({ ...each, overrides })))
    const hash = await wallet.sendTransaction({ ...call, account, chain: viemChain })
    await receiptOf(wallet, hash)
    const after = await batch(trades)
    expect(pending.map(({ amountOut }) => amountOut)).toEqual(
      after.map(({ amountOut }) => amountOut),
    )
    expect(pending.map(({ route }) => route)).toEqual(after.map(({ route }) => route))
    expect(before[0].amountOut).not.toBe(after[0].amountOut)
    expect(Object.keys(overrides).length).toBeGreaterThan(5)
  },
)

describe('the SDK', () => {
  const options = () => ({
    registry: readRegistry(devnet.deployments),
    maxBlockAgeSec: Number.POSITIVE_INFINITY,
  })
  const { includeSources: _, ...request } = trade

  test('default: the service, the own node and a repetition give the same quote', async () => {
    const { overrides } = await purchaseOf(30n)
    const client = createClient({ baseUrl: server.url })
    const asked = { ...request, overrides }
    const served = await getQuote(client, asked)
    const own = await quoteOnNode(wallet, asked, options())
    expect(own).toMatchObject({ amountOut: served.amountOut, overrides: served.overrides })
    expect((await prepareQuote(client, asked)).request.overrides).toEqual(overrides)
    const repeated = await repeatQuote(wallet, served, { ...options(), overrides })
    expect(repeated.isSame).toBe(true)
    const plain = await getQuote(client, request)
    expect(served.amountOut).toBeGreaterThan(plain.amountOut)
  })

  test('error: a call on a state that was not asked for, and a transaction', async () => {
    const { overrides } = await purchaseOf(30n)
    const asked = { ...request, recipient, overrides }
    const served = await getQuote(createClient({ baseUrl: server.url }), { ...request, overrides })
    await expect(repeatQuote(wallet, served, options())).rejects.toThrow(IntegrityError)
    const others = { [recipient]: { balance: 1n } } as const
    await expect(repeatQuote(wallet, served, { ...options(), overrides: others })).rejects.toThrow(
      IntegrityError,
    )
    expect(() => verifyTransaction({}, { request: asked, quote: served, ...options() })).toThrow(
      InvalidParameterError,
    )
  })
})

describe('what is refused', () => {
  const account = { balance: '0x1' }

  test('error: contracts of the protocol and of the chain', async () => {
    const { hub, quoter, router } = devnet.deployments.chains['8453']!.versions['1.0.0']!
    const newer = devnet.deployments.chains['8453']!.versions['2.0.0']!.core
    for (const address of [hub, quoter, router, newer, numberToHex(0x64, { size: 20 })])
      expect(
        await refusal('/api/quote/prepare?', { ...trade, overrides: { [address]: account } }),
      ).toMatchObject({
        code: 'bad_param',
        details: [{ field: 'overrides', reason: expect.stringContaining('must not change') }],
      })
  })

  test('error: something to sign, a stream and a picture', async () => {
    const overrides = JSON.stringify({ [recipient]: account })
    const query = new URLSearchParams({ ...trade, overrides })
    for (const path of ['/api/quote/stream', '/api/quote/route.svg'])
      expect(await refusal(`${path}?${query}`)).toMatchObject({
        code: 'bad_param',
        details: [{ field: 'overrides' }],
      })
    query.set('sender', recipient)
    expect(await refusal(`/api/quote?${query}`)).toMatchObject({
      code: 'bad_param',
      details: [{ field: 'sender', reason: expect.stringContaining('nothing to sign') }],
    })
  })
})

async function quote(parameters: Readonly<Record<string, string>>): Promise<QuoteResponse> {
  const response = await fetch(`${server.url}/api/quote?${new URLSearchParams(parameters)}`)
  const body = await response.text()
  if (!response.ok) throw new Error(body)
  return JSON.parse(body) as QuoteResponse
}

/** Quotes in the order of the requests. */
async function batch(requests: readonly object[]): Promise<[QuoteResponse, ...QuoteResponse[]]> {
  const { results } = await post<BatchResponse>('/api/quote/batch', { requests })
  for (const result of results) if (!result.ok) throw new Error(JSON.stringify(result))
  return results as [QuoteResponse, ...QuoteResponse[]]
}

async function post<answer>(path: string, body: unknown): Promise<answer> {
  const response = await send(path, body)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return JSON.parse(text) as answer
}

function send(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** The error of a request that is refused. A path that ends with `?` takes the body as its query. */
async function refusal(path: string, body?: object): Promise<ErrorResponse> {
  const texts = Object.entries(body ?? {}).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const isQuery = path.endsWith('?')
  const response =
    body === undefined || isQuery
      ? await fetch(server.url + path + (isQuery ? new URLSearchParams(texts) : ''))
      : await send(path, body)
  expect(response.status).toBe(400)
  return (await response.json()) as ErrorResponse
}
