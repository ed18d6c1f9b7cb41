import { coreAbi, routerV2Abi } from '@sluice/abi'
import type { BatchResponse, DecodeResponse, PrepareResponse, QuoteResponse } from '@sluice/api'
import { createRpc } from '@sluice/deploy'
import type { Devnet } from '@sluice/devnet'
import { createClient, getQuote, type Quote, type QuoteParameters } from '@sluice/sdk'
import { readRegistry, verifyTransaction } from '@sluice/sdk/verify'
import {
  approve,
  encodeNativeIn,
  encodeNativeOut,
  permit2Address,
  type SwapTransaction,
  send,
  signPermit,
  signPermit2,
} from '@sluice/sdk/viem'
import type { RunningServer } from '@sluice/server'
import {
  type Address,
  createWalletClient,
  custom,
  erc20Abi,
  getAddress,
  type Hex,
  type Log,
  maxUint256,
  parseEther,
  parseEventLogs,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { clientOf, receiptOf } from '../packages/devnet/test/clients.js'
import { serveBeforeAll } from './lib/serveBeforeAll.js'
import { type Wallet, walletOn } from './lib/walletOn.js'

/** An account that holds nothing and was never used. */
const stranger = getAddress('0x00000000000000000000000000000000000A11CE')
/** Maximum error of the gas estimate, in percent of the gas in the receipt. */
const gasTolerance = 5
/** Extra gas, not in the estimate, for an account's first balance of a token (EIP-2929: the slot was zero). */
const firstUnitsGas = 17_100

let devnet: Devnet
let server: RunningServer

serveBeforeAll({ chainIds: [8453, 1] }, (running) => {
  ;({ devnet, server } = running)
})

const contracts = () => devnet.deployments.chains['8453']!.versions['2.0.0']!
const registry = () => readRegistry(devnet.deployments)
const ask = (trade: { in: string; out: string; amountIn: bigint }) =>
  ({ chain: 'base', version: 2, recipient: stranger, ...trade }) as const

describe('a swap on 2.0.0', () => {
  test.each([
    ['one leg', { in: 'WETH', out: 'USDC', amountIn: 10n ** 17n }],
    ['a split', { in: 'WETH', out: 'USDC', amountIn: 300n * 10n ** 18n }],
    ['fees in SLU', { in: 'USDC', out: 'SLU', amountIn: 2_000_000_000n }],
    ["a token's first fee", { in: 'USDC', out: 'AERO', amountIn: 5_000_000_000n }],
  ])('default, %s: delivers its quote to the wei, and announces the proof', async (_, trade) => {
    const wallet = walletOf()
    const request = ask({ ...trade, out: addressOf(trade.out) })
    const quote = await quoteFor(request)
    expect(quote.tx!.to).toBe(contracts().router)
    await successOf(await approve(wallet, { quote, registry: registry() }))
    const swap = () => send(wallet, { quote, request, registry: registry() })
    const isFirst = (await balanceOf(quote.tokenOut, stranger)) === 0n
    const receiptGas = await expectDelivery(quote, wallet.account.address, swap)

    const gasUsed = receiptGas - (isFirst ? firstUnitsGas : 0)
    const estGas = Number(quote.quote!.estGas)
    const off = (Math.abs(estGas - gasUsed) / gasUsed) * 100
    expect(off, `estGas ${estGas}, used ${gasUsed}`).toBeLessThan(gasTolerance)
  })

  test('behavior: native input needs no wrapping and no approval', async () => {
    const wallet = walletOf()
    const request = ask({ in: 'ETH', out: 'USDC', amountIn: parseEther('0.7') })
    const quote = await quoteFor(request)
    const weth = await balanceOf(quote.tokenIn, wallet.account.address)
    const transaction = encodeNativeIn({ quote, request, registry: registry() })
    expect(transaction.value).toBe(request.amountIn)
    await expectDelivery(quote, wallet.account.address, () => submit(wallet, transaction))
    expect(await balanceOf(quote.tokenIn, wallet.account.address)).toBe(weth)
  })

  test('behavior: native input and signatures work on every venue', async () => {
    const wallet = walletOf()
    const used = new Set<string>()
    const note = ({ route }: Quote) => {
      for (const { venue } of route.legs) used.add(devnet.chains[0]!.venues[venue - 1]!)
    }
    const selling = ask({ in: 'ETH', out: 'USDC', amountIn: parseEther('900') })
    const sold = await quoteFor(selling)
    const native = encodeNativeIn({ quote: sold, request: selling, registry: registry() })
    await expectDelivery(sold, wallet.account.address, () => submit(wallet, native))
    note(sold)

    const trades = [
      { in: 'USDC', out: 'WETH', amountIn: 2_000_000_000_000n },
      { in: addressOf('AERO'), out: 'WETH', amountIn: parseEther('300000') },
    ]
    for (const trade of trades) {
      const request = ask(trade)
      const quote = await quoteFor(request)
      await successOf(await approvePermit2(wallet, quote.tokenIn))
      const options = { quote, request, registry: registry() }
      const { transaction } = await signPermit2(wallet, options)
      await expectDelivery(quote, wallet.account.address, () => submit(wallet, transaction))
      note(quote)
    }
    expect([...used].sort()).toEqual([...devnet.chains[0]!.venues].sort())
  })

  test('behavior: native output pays the recipient in native coin', async () => {
    const wallet = walletOf()
    const request = ask({ in: 'USDC', out: 'ETH', amountIn: 3_000_000_000n })
    const quote = await quoteFor(request)
    await successOf(await approve(wallet, { quote, registry: registry() }))
    const before = await wallet.getBalance({ address: stranger })
    const wrapped = await balanceOf(quote.tokenOut, stranger)
    const hash = await submit(wallet, encodeNativeOut({ quote, request, registry: registry() }))
    expectAnnounced(quote, wallet.account.address, (await successOf(hash)).logs)
    expect((await wallet.getBalance({ address: stranger })) - before).toBe(quote.amountOut)
    expect(await balanceOf(quote.tokenOut, stranger)).toBe(wrapped)
  })

  test('behavior: with Permit2, the owner signs and another account sends and pays gas', async () => {
    const owner = walletOf()
    const relayer = walletOf(generatePrivateKey())
    await successOf(
      await owner.sendTransaction({ to: relayer.account.address, value: parseEther('1') }),
    )
    const request = ask({ in: 'USDC', out: 'WETH', amountIn: 1_500_000_000n })
    const quote = await quoteFor(request)
    await successOf(await approvePermit2(owner, quote.tokenIn))
    const options = { quote, request, registry: registry() }
    const { transaction } = await signPermit2(owner, options)
    const sold = await balanceOf(quote.tokenIn, owner.account.address)
    await expectDelivery(quote, owner.account.address, () => submit(relayer, transaction))
    expect(sold - (await balanceOf(quote.tokenIn, owner.account.address))).toBe(request.amountIn)
    await expect(relayer.call({ ...transaction, account: relayer.account })).rejects.toThrow()
  })

  test("behavior: with the token's own permit, no approval is sent", async () => {
    const wallet = walletOf()
    const request = ask({ in: 'SLU', out: 'USDC', amountIn: parseEther('4000') })
    const quote = await quoteFor(request)
    const options = { quote, request, registry: registry() }
    const transaction = await signPermit(wallet, options)
    await expectDelivery(quote, wallet.account.address, () => submit(wallet, transaction))
  })

  test('error: a permit for a token without permit, without a signer, or without a node', async () => {
    const wallet = walletOf()
    const request = ask({ in: 'WETH', out: 'USDC', amountIn: parseEther('1') })
    const options = { quote: await quoteFor(request), request, registry: registry() }
    await expect(signPermit(wallet, options)).rejects.toMatchObject({
      name: 'InvalidParameterError',
      field: 'in',
      message: expect.stringContaining('does not support permits (EIP-2612)'),
      retryable: false,
    })
    const reader = clientOf(devnet.chains[0]!)
    for (const sign of [signPermit, signPermit2])
      await expect(sign(reader, options)).rejects.toMatchObject({
        name: 'InvalidParameterError',
        field: 'account',
      })
    const answer = async ({ method }: { method: string }) => {
      if (method === 'eth_chainId') return '0x2105'
      throw new Error('no answer')
    }
    const deaf = createWalletClient({
      account: wallet.account,
      transport: custom({ request: answer }, { retryCount: 0 }),
    })
    await expect(signPermit(deaf, options)).rejects.toMatchObject({
      name: 'RpcUnreachableError',
      retryable: true,
    })
  })

  test('error: a quote of 1.0.0 cannot be paid in native coin or by signature', async () => {
    const { version: _, ...request } = ask({ in: 'ETH', out: 'USDC', amountIn: parseEther('1') })
    const quote = await quoteFor(request)
    const options = { quote, request, registry: registry() }
    expect(() => encodeNativeIn(options)).toThrow(/request a quote with `version: 2`/)
    await expect(signPermit2(walletOf(), options)).rejects.toMatchObject({ code: 'bad_version' })
    expect(() =>
      verifyTransaction(quote.tx!, { ...options, request: { ...request, version: 2 } }),
    ).toThrow(/The transaction is not for the Router/)
  })
})

describe('version=2', () => {
  const trade = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: `${10n ** 18n}` }

  test.each([
    { in: 'ETH', out: 'USDC', amountIn: `${10n ** 17n}` },
    { in: 'WETH', out: 'USDC', amountIn: `${300n * 10n ** 18n}`, slippageBps: '30' },
    { in: 'WETH', out: 'USDC', amountIn: `${10n ** 18n}`, exact: '1' },
  ])('default: prepare, a node and decode give the quote: %j', async (asked) => {
    await rpc('evm_mine')
    const query = { chain: 'base', version: '2', gasPrice: '0', ...asked, recipient: stranger }
    const prepared = await get<PrepareResponse>('/api/quote/prepare', query)
    expect(prepared.protocolVersion).toBe('2.0.0')
    expect(prepared.request.protocolVersion).toBe('2.0.0')
    expect(prepared.contracts.router).toBe(contracts().router)
    const result = await rpc<Hex>('eth_call', prepared.rpcRequest.params)
    const decoded = await post<DecodeResponse>('/api/quote/decode', {
      request: prepared.request,
      result,
    })
    const quote = await get<QuoteResponse>('/api/quote', query)
    const { integrity: _, witness: __, ...same } = decoded
    const { meta: ___, ...wanted } = quote
    expect(wanted.tx!.to).toBe(contracts().router)
    expect(timeless(same)).toBe(timeless(wanted))

    const forged = { ...prepared.request, protocolVersion: '1.0.0' }
    const refused = await post<{ code: string }>('/api/quote/decode', { request: forged, result })
    expect(refused.code).toBe('bad_request')
  })

  test('behavior: the cache keeps the quotes of each generation apart', async () => {
    await rpc('evm_mine')
    const told: [string, string][] = []
    for (const version of ['1', '2', '1.0.0', '2.0.0']) {
      const { quote } = await get<QuoteResponse>('/api/quote', { ...trade, version })
      told.push([version, quote!.estGas])
    }
    const [first, second] = [told[0]![1], told[1]![1]]
    expect(BigInt(second)).toBeGreaterThan(BigInt(first))
    expect(told).toEqual([
      ['1', first],
      ['2', second],
      ['1.0.0', first],
      ['2.0.0', second],
    ])
  })

  test('behavior: a batch may contain both generations, on one block', async () => {
    const item = { ...trade, recipient: stranger }
    const requests = [item, { ...item, version: 2 }, { ...item, version: 3 }]
    const { results } = await post<BatchResponse>('/api/quote/batch', { requests })
    const [first, second, third] = results as [QuoteResponse, QuoteResponse, { code: string }]
    expect(first.tx!.to).toBe(devnet.deployments.chains['8453']!.versions['1.0.0']!.router)
    expect(second.tx!.to).toBe(contracts().router)
    expect(second.meta!.blockNumber).toBe(first.meta!.blockNumber)
    expect(second.amountOut).toBe(first.amountOut)
    expect(third.code).toBe('bad_version')
  })

  test('behavior: a stream uses the requested generation', async () => {
    const query = new URLSearchParams({ ...trade, version: '2', recipient: stranger })
    const stopping = new AbortController()
    const { signal } = stopping
    const response = await fetch(`${server.url}/api/quote/stream?${query}`, { signal })
    const { value } = await response.body!.getReader().read()
    const [data] = /(?<=data: ).*/.exec(new TextDecoder().decode(value))!
    expect((JSON.parse(data) as QuoteResponse).tx!.to).toBe(contracts().router)
    stopping.abort()
  })

  test('error: a chain without 2.0.0, and an unknown generation', async () => {
    const onEthereum = await get<object>('/api/quote', { ...trade, chain: 'eth', version: '2' })
    expect(onEthereum).toMatchObject({
      code: 'bad_version',
      error: '`version` is not deployed on Ethereum; send one of 1.0.0.',
    })
    for (const path of ['/api/quote', '/api/quote/prepare']) {
      const unknown = await get<object>(path, { ...trade, version: '2.0' })
      expect(unknown).toMatchObject({
        code: 'bad_version',
        error: '`version` must be one of 1, 1.0.0, 2, 2.0.0.',
      })
    }
  })

  test('behavior: the registry and the ABIs include 2.0.0; the manifest contains 1.0.0 only', async () => {
    const { versions } = await get<{ versions: object[] }>('/api/deployments', { version: '2' })
    expect(versions).toEqual([
      {
        version: '2.0.0',
        status: 'available',
        source: 'contracts/src/v2',
        chains: { 8453: contracts() },
      },
    ])
    const names = async (contract: string) =>
      (await get<{ abi: { name?: string }[] }>('/api/abi', { contract, version: '2' })).abi.flatMap(
        ({ name }) => name ?? [],
      )
    expect(await names('router')).toEqual(
      expect.arrayContaining(['ExecutionProof', 'swapExactInWithPermit2']),
    )
    expect(await names('core')).toContain('recordFee')
    expect(await names('staking')).toContain('isSolvent')
    const manifest = await get<{ chains: { protocolVersion: string; contracts: object }[] }>(
      '/api/manifest',
    )
    const zero = `0x${'0'.repeat(40)}`
    for (const chain of manifest.chains)
      expect(chain).toMatchObject({
        protocolVersion: '1.0.0',
        contracts: { core: zero, staking: zero },
      })
  })
})

describe('the devnet', () => {
  test('default: has staked, funded and traded on both generations', async () => {
    const wallet = walletOf()
    const read = { address: contracts().staking, abi: stakingReaders } as const
    expect(await wallet.readContract({ ...read, functionName: 'totalStaked' })).toBeGreaterThan(0n)
    expect(await wallet.readContract({ ...read, functionName: 'rewardReserve' })).toBeGreaterThan(
      0n,
    )
    expect(await wallet.readContract({ ...read, functionName: 'isSolvent' })).toBe(true)
    const { versions } = devnet.deployments.chains['8453']!
    for (const version of ['1.0.0', '2.0.0']) {
      const logs = await wallet.getLogs({ address: versions[version]!.router, fromBlock: 0n })
      const swaps = parseEventLogs({ abi: routerV2Abi, eventName: 'Swap', logs })
      expect(swaps.length, version).toBeGreaterThan(1)
    }
  })
})

const stakingReaders = [
  {
    type: 'function',
    name: 'totalStaked',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ type: 'uint256' }],
  },
  {
    type: 'function',
    name: 'rewardReserve',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ type: 'uint256' }],
  },
  {
    type: 'function',
    name: 'isSolvent',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ type: 'bool' }],
  },
] as const

/** Sends the swap, and asserts the quoted amounts at the recipient, in the events and in Core's ledger. */
async function expectDelivery(quote: Quote, user: Address, swap: () => Promise<Hex>) {
  const { tokenOut } = quote
  // On a real chain each block has another second, and pools write their price records once per second.
  await createRpc(devnet.chains[0]!.rpcUrl).request('evm_increaseTime', [1])
  const before = await balanceOf(tokenOut, stranger)
  const [t1, t2] = await recordedOf(tokenOut)
  const { gasUsed, logs } = await successOf(await swap())
  expect((await balanceOf(tokenOut, stranger)) - before).toBe(quote.amountOut)
  const { toT1, toT2 } = expectAnnounced(quote, user, logs)
  expect(await recordedOf(tokenOut)).toEqual([t1 + toT1, t2 + toT2])
  for (const token of [quote.tokenIn, tokenOut])
    expect(await balanceOf(token, contracts().router)).toBe(0n)
  return Number(gasUsed)
}

function expectAnnounced(quote: Quote, user: Address, logs: readonly Log[]) {
  const ours = logs.filter(({ address }) => getAddress(address) === contracts().router)
  const events = parseEventLogs({ abi: routerV2Abi, logs: ours as Log[] })
  expect(events.map(({ eventName }) => eventName)).toEqual(['Fee', 'Swap', 'ExecutionProof'])
  const [fee, swap, proof] = events.map(({ args }) => args)
  const amount = quote.quote!.protocolFee
  const toT1 = amount / 2n
  expect(fee).toEqual({ token: quote.tokenOut, amount, toT1, toT2: amount - toT1 })
  expect(swap).toMatchObject({ user, amountIn: quote.amountIn, amountOut: quote.amountOut })
  expect(proof).toEqual({
    user,
    tokenOut: quote.tokenOut,
    quoted: quote.amountOut,
    realized: quote.amountOut,
    floorUsed: quote.quote!.effectiveMinOut,
    blockNumber: ours[0]!.blockNumber,
  })
  return { toT1, toT2: amount - toT1 }
}

async function quoteFor(request: QuoteParameters): Promise<Quote> {
  const quote = await getQuote(createClient({ baseUrl: server.url }), request)
  expect(quote.tx, quote.quote?.reason).toBeDefined()
  return quote
}

function approvePermit2(wallet: Wallet, address: Address): Promise<Hex> {
  const args = [permit2Address, maxUint256] as const
  return wallet.writeContract({ address, abi: erc20Abi, functionName: 'approve', args })
}

function submit(wallet: Wallet, { data, to, value }: SwapTransaction): Promise<Hex> {
  // The node estimates for the current second. In the next second, pools also write their price records.
  return wallet.sendTransaction({ data, to, value, gas: 6_000_000n })
}

/** Core's ledger, after it has recorded what has arrived, as anybody can have it do. */
async function recordedOf(token: Address): Promise<readonly [bigint, bigint]> {
  const core = { address: contracts().core, abi: coreAbi } as const
  await successOf(
    await walletOf().writeContract({ ...core, functionName: 'recordFee', args: [token] }),
  )
  return await walletOf().readContract({ ...core, functionName: 'ledger', args: [token] })
}

async function balanceOf(address: Address, holder: Address): Promise<bigint> {
  const read = { address, abi: erc20Abi, functionName: 'balanceOf' } as const
  return await walletOf().readContract({ ...read, args: [holder] })
}

async function successOf(hash: Hex) {
  const receipt = await receiptOf(walletOf(), hash)
  expect(receipt.status).toBe('success')
  return receipt
}

function addressOf(symbol: string): Address {
  return devnet.chains[0]!.tokens[symbol]!.address
}

function walletOf(key: Hex = devnet.account.privateKey): Wallet {
  return walletOn(devnet.chains[0]!, privateKeyToAccount(key))
}

/** The JSON of a quote without its deadline, which counts from the clock at the time of the request. */
function timeless(quote: Pick<QuoteResponse, 'tx'>): string {
  const deadline = quote.tx!.deadline!
  const word = deadline.toString(16).padStart(64, '0')
  expect(quote.tx!.data.split(word).length).toBe(2)
  return JSON.stringify(quote)
    .replace(word, 'DEADLINE')
    .replace(`"deadline":${deadline}`, '"deadline":0')
}

async function rpc<result>(method: string, params: readonly unknown[] = []): Promise<result> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(devnet.chains[0]!.rpcUrl, { method: 'POST', headers, body })
  return ((await response.json()) as { result: result }).result
}

async function get<body>(path: string, query: Record<string, string> = {}): Promise<body> {
  const response = await fetch(`${server.url}${path}?${new URLSearchParams(query)}`)
  return (await response.json()) as body
}

async function post<body>(path: string, content: object): Promise<body> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(content)
  const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body })
  return (await response.json()) as body
}
