import { routerV2Abi } from '@sluice/abi'
import type { BatchResponse, DecodeResponse, ErrorResponse, PrepareResponse } from '@sluice/api'
import { createRpc } from '@sluice/deploy'
import type { Devnet } from '@sluice/devnet'
import { createClient, getQuote, type Quote, type QuoteParameters } from '@sluice/sdk'
import { readRegistry, verifyTransaction } from '@sluice/sdk/verify'
import {
  approve,
  permit2Address,
  repeatQuote,
  type SwapTransaction,
  signPermit,
  signPermit2,
} from '@sluice/sdk/viem'
import type { RunningServer } from '@sluice/server'
import {
  type Address,
  erc20Abi,
  getAddress,
  type Hex,
  maxUint256,
  parseEther,
  parseEventLogs,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { receiptOf } from '../packages/devnet/test/clients.js'
import { serveBeforeAll } from './lib/serveBeforeAll.js'
import { type Wallet, walletOn } from './lib/walletOn.js'

const recipient = getAddress('0x00000000000000000000000000000000000A11CE')
const integrator = getAddress('0x0000000000000000000000000000000000fee000')
/** Maximum error of the gas estimate, in percent of the gas in the receipt. */
const gasTolerance = 5

let devnet: Devnet
let server: RunningServer

serveBeforeAll({ chainIds: [8453] }, (running) => {
  ;({ devnet, server } = running)
})

const trade = { in: 'WETH', out: 'USDC', amountIn: parseEther('0.3') } as const
const fee = { integrator, integratorFeeBps: 35 } as const
const registry = () => readRegistry(devnet.deployments)
const ask = (parts: object) =>
  ({ chain: 'base', version: 2, recipient, ...fee, ...parts }) as QuoteParameters

describe('a swap that pays an integrator', () => {
  test('default: numbers are after all fees, and the swap delivers them to the wei', async () => {
    const request = ask(trade)
    const quote = await quoteFor(request)
    const numbers = quote.quote!
    expect(numbers).toMatchObject({
      ...fee,
      integratorFee: (numbers.grossOut * 35n) / 10_000n,
      netOut: numbers.grossOut - numbers.protocolFee - numbers.integratorFee!,
    })
    expect(quote.amountOut).toBe(numbers.netOut)
    expect(numbers.ironFloor).toBeLessThanOrEqual(numbers.netOut)
    const wallet = walletOf()
    await successOf(await approve(wallet, { quote, registry: registry() }))
    const verified = verifyTransaction(quote.tx!, { quote, request, registry: registry() })
    expect(verified).toMatchObject({ integratorFee: { integrator, bps: 35 } })
    // The first swap pays for the first balances of the recipient and the integrator.
    await expectPaid(quote, quote.tx!)
    const again = await quoteFor(request)
    await successOf(await approve(wallet, { quote: again, registry: registry() }))
    const gasUsed = await expectPaid(again, again.tx!)
    const estGas = Number(again.quote!.estGas)
    const off = (Math.abs(estGas - gasUsed) / gasUsed) * 100
    expect(off, `estGas ${estGas}, used ${gasUsed}`).toBeLessThan(gasTolerance)
  })

  test('behavior: native coin in and out', async () => {
    const selling = await quoteFor(ask({ ...trade, in: 'ETH' }))
    await expectPaid(selling, selling.tx!)
    const request = ask({ in: 'USDC', out: 'ETH', amountIn: 900_000_000n })
    const buying = await quoteFor(request)
    await successOf(await approve(walletOf(), { quote: buying, registry: registry() }))
    await expectPaid(buying, buying.tx!)
  })

  test('behavior: a permit of the token and a signature for Permit2 cover the fee', async () => {
    const wallet = walletOf()
    const request = ask({ in: addressOf('SLU'), out: 'USDC', amountIn: parseEther('5') })
    const quote = await quoteFor(request)
    await expectPaid(quote, await signPermit(wallet, { quote, request, registry: registry() }))

    const weth = addressOf('WETH')
    await successOf(
      await wallet.writeContract({
        address: weth,
        abi: erc20Abi,
        functionName: 'approve',
        args: [permit2Address, maxUint256],
      }),
    )
    const other = await quoteFor(ask(trade))
    const signed = await signPermit2(wallet, {
      quote: other,
      request: ask(trade),
      registry: registry(),
    })
    await expectPaid(other, signed.transaction)
  })

  test('behavior: the service completes a signed swap', async () => {
    const sender = walletOf().account.address
    const quote = await get('/api/quote', { ...asText(trade), sender, signature: 'permit2' })
    expect(quote).toMatchObject({ permit: fee })
    const { EIP712Domain: _, ...types } = quote.permit.typedData.types
    const signature = await walletOf().signTypedData({ ...quote.permit.typedData, types })
    const body = await post('/api/quote/signed', { quote, signature })
    expect(body).toMatchObject({ ok: true })
    const grossOut = BigInt(quote.quote.grossOut)
    const numbers = { protocolFee: BigInt(quote.quote.protocolFee), grossOut }
    await expectPaid(
      { tokenOut: quote.tokenOut, amountOut: BigInt(quote.amountOut), quote: numbers } as Quote,
      { ...body.tx, value: 0n },
    )
  })

  test('behavior: an output that is asked for is delivered after all fees', async () => {
    const amountOut = 777_000_001n
    const request = ask({ in: 'WETH', out: 'USDC', amountOut })
    const quote = await quoteFor(request)
    expect(quote.amountOut).toBeGreaterThanOrEqual(amountOut)
    expect(quote.amountOut).toBeLessThanOrEqual(amountOut + 3n)
    await successOf(await approve(walletOf(), { quote, registry: registry() }))
    const before = await balanceOf(quote.tokenOut, recipient)
    await successOf(await submit(quote.tx!))
    expect((await balanceOf(quote.tokenOut, recipient)) - before).toBeGreaterThanOrEqual(amountOut)
  })
})

describe('the fee in other answers', () => {
  test('behavior: prepare and decode, a batch, and a repeated call say the same', async () => {
    const quote = await quoteFor(ask(trade))
    const repeated = await repeatQuote(walletOf(), quote, { registry: registry() })
    expect(repeated).toMatchObject({ isSame: true, own: { quote: { integratorFeeBps: 35 } } })

    const prepared: PrepareResponse = await get('/api/quote/prepare', asText(trade))
    expect(prepared.request).toMatchObject(fee)
    const result = await createRpc(devnet.chains[0]!.rpcUrl).request('eth_call', [
      prepared.rpcRequest.params[0],
      'latest',
    ])
    const decoded: DecodeResponse = await post('/api/quote/decode', {
      request: prepared.request,
      result,
    })
    expect(decoded.quote).toMatchObject({
      ...fee,
      netOut: quote.amountOut.toString(),
      ironFloor: quote.quote!.ironFloor.toString(),
    })
    expect(decoded.tx!.data.slice(0, 10)).toBe('0x5482daa6')
    const forged = { ...prepared.request, integratorFeeBps: 90 }
    const refused: ErrorResponse = await post('/api/quote/decode', { request: forged, result })
    expect(refused.code).toBe('bad_request')

    const batch: BatchResponse = await post('/api/quote/batch', {
      requests: [{ ...asText(trade), integratorFeeBps: 35 }],
    })
    expect(batch.results[0]).toMatchObject({ ok: true, amountOut: quote.amountOut.toString() })
  })

  test('security: a transaction with another fee than was requested is not verified', async () => {
    const request = ask(trade)
    const more = ask({ ...trade, integratorFeeBps: 36 })
    const other = ask({ ...trade, integrator: recipient })
    const { integrator: _, integratorFeeBps: __, ...none } = request as Record<string, unknown>
    for (const forged of [more, other, none as QuoteParameters]) {
      const quote = await quoteFor(forged)
      const verify = () => verifyTransaction(quote.tx!, { quote, request, registry: registry() })
      expect(verify).toThrow(/Do not sign it/)
    }
    const paying = await quoteFor(request)
    expect(() =>
      verifyTransaction(paying.tx!, {
        quote: paying,
        request: none as QuoteParameters,
        registry: registry(),
      }),
    ).toThrow(/Do not sign it/)
  })

  test.each([
    ['a fee on 1.0.0', { version: '1' }, 'integrator', 'needs `version=2`'],
    ['no recipient of it', { integrator: undefined }, 'integratorFeeBps', 'needs `integrator`'],
    ['no amount of it', { integratorFeeBps: undefined }, 'integrator', 'needs `integratorFeeBps`'],
    ['more than the cap', { integratorFeeBps: '101' }, 'integratorFeeBps', 'from 1 to 100'],
    ['nothing', { integratorFeeBps: '0' }, 'integratorFeeBps', 'from 1 to 100'],
    ['the zero address', { integrator: `0x${'0'.repeat(40)}` }, 'integrator', 'zero address'],
  ])('error: %s is refused with its field', async (_, change, field, reason) => {
    const query = { ...asText(trade), ...change }
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    const error = await get('/api/quote', Object.fromEntries(given) as Record<string, string>)
    expect(error).toMatchObject({ ok: false, code: 'bad_param' })
    expect(error.details).toHaveLength(1)
    expect(error.details[0]).toMatchObject({ field, reason: expect.stringContaining(reason) })
  })

  test('error: neither the Router nor a token can be the integrator', async () => {
    const { router } = devnet.deployments.chains['8453']!.versions['2.0.0']!
    for (const bad of [router, addressOf('USDC')]) {
      const error = await get('/api/quote', { ...asText(trade), integrator: bad })
      expect(error).toMatchObject({ code: 'bad_param', details: [{ field: 'integrator' }] })
    }
  })
})

/** Sends a swap; the recipient, the integrator and Core get what the quote says, and nothing stays in the Router. */
async function expectPaid(quote: Quote, transaction: SwapTransaction): Promise<number> {
  await createRpc(devnet.chains[0]!.rpcUrl).request('evm_increaseTime', [1])
  const { tokenOut } = quote
  const { core, router } = devnet.deployments.chains['8453']!.versions['2.0.0']!
  const holders = [integrator, core, router] as const
  const before = await Promise.all(holders.map((holder) => balanceOf(tokenOut, holder)))
  const { gasUsed, logs } = await successOf(await submit(transaction))
  const after = await Promise.all(holders.map((holder) => balanceOf(tokenOut, holder)))
  const { grossOut, protocolFee } = quote.quote!
  const amount = (grossOut * 35n) / 10_000n
  expect(after.map((balance, index) => balance - before[index]!)).toEqual([amount, protocolFee, 0n])
  const events = parseEventLogs({
    abi: routerV2Abi,
    logs: logs.filter(({ address }) => getAddress(address) === router),
  })
  expect(events.map(({ eventName }) => eventName)).toEqual([
    'Fee',
    'IntegratorFee',
    'Swap',
    'ExecutionProof',
  ])
  expect(events[1]!.args).toEqual({ integrator, token: tokenOut, amount })
  expect(events[2]!.args).toMatchObject({ amountOut: quote.amountOut })
  expect(events[3]!.args).toMatchObject({ quoted: quote.amountOut, realized: quote.amountOut })
  expect(quote.amountOut + amount + protocolFee).toBe(grossOut)
  return Number(gasUsed)
}

async function quoteFor(request: QuoteParameters): Promise<Quote> {
  const quote = await getQuote(createClient({ baseUrl: server.url }), request)
  expect(quote.tx, quote.quote?.reason).toBeDefined()
  return quote
}

function asText({ amountIn, ...rest }: typeof trade) {
  return {
    ...{ chain: 'base', version: '2', recipient, ...rest },
    ...{ amountIn: amountIn.toString(), integrator, integratorFeeBps: '35' },
  }
}

function submit({ data, to, value }: { data: Hex; to: Address; value: bigint }): Promise<Hex> {
  return walletOf().sendTransaction({ data, to, value, gas: 6_000_000n })
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

function walletOf(): Wallet {
  return walletOn(devnet.chains[0]!, privateKeyToAccount(devnet.account.privateKey))
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several shapes, each compared with what is expected of it.
async function get<body = any>(path: string, query: Record<string, string>): Promise<body> {
  const response = await fetch(`${server.url}${path}?${new URLSearchParams(query)}`)
  return (await response.json()) as body
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
async function post<body = any>(path: string, content: object): Promise<body> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(content)
  const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body })
  return (await response.json()) as body
}
