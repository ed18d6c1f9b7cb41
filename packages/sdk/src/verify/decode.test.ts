import { encodeDecoded } from '@sluice/api'
import { DecodedQuote, Preparation } from '@sluice/domain'
import { describe, expect, test } from 'vitest'
import { answerOf, askedAt, honestPlan, recipient } from '../../../domain/test/answers.js'
import { deployments } from '../../../domain/test/deployments.js'
import { parseDecodedQuote } from '../amounts.js'
import { IntegrityError, InvalidParameterError, NoRouteError } from '../index.js'
import { decode, prepare, readRegistry, verifyTransaction } from './index.js'
import { resolveRequest } from './resolveRequest.js'
import { toDomain } from './toDomain.js'

const registry = readRegistry(deployments)
const options = { registry, now: askedAt }
const trade = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: 1_000_000n, recipient } as const
const result = answerOf(honestPlan())

describe('prepare', () => {
  test('default: returns what the service returns', () => {
    const all = { ...trade, slippageBps: 50, deadlineSec: 60, exact: true, gasPrice: '7' }
    const prepared = prepare(all, options)
    const request = resolveRequest(registry, all)
    expect(prepared).toEqual(Preparation.from(request, { preparedAt: askedAt }))
    expect(prepared.request).toMatchObject({ slippageBps: 50, exact: true, gasPrice: '7' })
  })

  test.each([
    ['chain', { chain: 'solana' }, 'bad_chain'],
    ['chain', { chain: 10 }, 'bad_chain'],
    ['in', { in: 'DOGE' }, 'unresolved'],
    ['out', { out: '0x12' }, 'bad_out'],
    ['out', { out: 'ETH' }, 'bad_pair'],
    ['amountIn', { amountIn: 0n }, 'bad_amount_in'],
    ['recipient', { recipient: '0x0000000000000000000000000000000000000000' }, 'bad_recipient'],
    ['slippageBps', { slippageBps: 5_001 }, 'bad_slippage_bps'],
    ['deadlineSec', { deadlineSec: 9 }, 'bad_deadline_sec'],
    ['connectors', { connectors: ['0x12'] }, 'bad_param'],
    ['pools', { pools: ['0x12'] }, 'bad_param'],
    ['pools', { pools: Array(9).fill(recipient) }, 'bad_param'],
    ['connectors', { connectors: Array(5).fill(recipient) }, 'bad_param'],
  ])('error: %s, %#', (field, changes, code) => {
    try {
      prepare({ ...trade, ...changes }, options)
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidParameterError)
      expect(error).toMatchObject({ field, code })
      return
    }
    throw new Error('It was accepted.')
  })
})

describe('decode', () => {
  const { request } = prepare(trade, options)

  test('default: decodes what the service decodes', () => {
    const domain = DecodedQuote.from(toDomain(registry), {
      prepared: request as never,
      result,
      now: askedAt,
    })
    const body = JSON.parse(JSON.stringify(encodeDecoded(domain)))
    expect(decode({ request, result }, options)).toEqual(parseDecodedQuote(body))
  })

  test('behavior: the transaction passes verifyTransaction', () => {
    const quote = decode({ request, result }, options)
    const now = askedAt / 1_000
    const verified = verifyTransaction(quote.tx!, { request: trade, quote, registry, now })
    expect(verified).toMatchObject({ recipient, minOut: quote.quote!.effectiveMinOut })
  })

  test('error: a tampered result names the failed check', () => {
    const plan = honestPlan({ netOut: 1_994_401n })
    const decodeIt = () => decode({ request, result: answerOf(plan) }, options)
    expect(decodeIt).toThrow(IntegrityError)
    expect(decodeIt).toThrow(expect.objectContaining({ check: 'arithmetic' }))
    const cut = () => decode({ request, result: result.slice(0, -2) }, options)
    expect(cut).toThrow(expect.objectContaining({ check: 'strict' }))
  })

  test('error: a request that was changed, or that has expired', () => {
    const forged = { ...request, amountIn: '2' }
    expect(() => decode({ request: forged, result }, options)).toThrow(InvalidParameterError)
    const late = { ...options, now: request.expiresAt + 1 }
    expect(() => decode({ request, result }, late)).toThrow(/expired/)
  })

  test.each([undefined, null, 5, {}, { jsonrpc: '2.0', id: 1, result }])(
    'error: a result %j is not a string',
    (wrong) => {
      const run = () => decode({ request, result: wrong as never }, options)
      expect(run).toThrow(IntegrityError)
      expect(run).toThrow(expect.objectContaining({ check: 'strict', code: 'bad_result' }))
    },
  )

  test('error: a request with a missing member or a member of another type', () => {
    const hints = { connectors: [recipient], pools: [recipient] }
    const whole = prepare({ ...trade, slippageBps: 1, ...hints }, options).request
    const broken = Object.keys(whole).map((name) => ({ ...whole, [name]: { toString: 5 } }))
    for (const wrong of [undefined, null, 'x', {}, ...broken]) {
      const run = () => decode({ request: wrong as never, result }, options)
      expect(run).toThrow(InvalidParameterError)
      expect(run).toThrow(expect.objectContaining({ code: 'bad_request' }))
    }
  })

  test('error: no route exists', () => {
    const route = { ...honestPlan().route, grossOut: 0n, impactBps: 0n, legs: [] }
    const zero = { protocolFee: 0n, netOut: 0n, ironFloor: 0n }
    const unclaimed = { upperBound: 2n ** 256n - 1n, gapMicroBps: 2n ** 256n - 1n }
    const none = honestPlan({
      ...zero,
      ...unclaimed,
      route,
      verdict: 'NoRoute',
      estGas: 0n,
      hops: 0n,
    })
    expect(() => decode({ request, result: answerOf(none) }, options)).toThrow(NoRouteError)
  })
})
