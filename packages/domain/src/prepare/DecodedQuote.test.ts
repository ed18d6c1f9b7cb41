import { describe, expect, test } from 'vitest'
import { answerOf, askedAt, honestPlan, recipient } from '../../test/answers.js'
import { registry, tokens } from '../../test/deployments.js'
import type { Plan } from '../plan/Plan.js'
import * as Quote from '../quote/Quote.js'
import type { PreparedRequest } from '../request/PreparedRequest.js'
import type { QuoteRequest } from '../request/QuoteRequest.js'
import * as DecodedQuote from './DecodedQuote.js'
import * as Preparation from './Preparation.js'

const request: QuoteRequest = {
  chain: registry.get(8_453)!,
  tokenIn: { address: tokens.weth, isNative: true },
  tokenOut: { address: tokens.usdc, isNative: false },
  amountIn: 1_000_000n,
  recipient,
  slippageBps: 50,
  deadlineSec: 60,
  isExact: false,
  gasPrice: 0n,
  connectors: [],
}

function prepare(changes: Partial<QuoteRequest> = {}): PreparedRequest {
  return Preparation.from({ ...request, ...changes }, { preparedAt: askedAt }).request
}

function decode(changes: Partial<DecodedQuote.from.Parameters> = {}) {
  return DecodedQuote.from(registry, {
    prepared: prepare(),
    result: answerOf(honestPlan()),
    now: askedAt + 1_000,
    ...changes,
  })
}

function changed(changes: Partial<PreparedRequest>): PreparedRequest {
  return { ...prepare(), ...changes }
}

describe('DecodedQuote.from', () => {
  test('default: returns the quote that the service returns for the same plan', () => {
    const { integrity, quote } = decode()
    expect(integrity).toEqual({ bound: true, strict: true, arithmetic: true, witness: true })
    const now = BigInt(askedAt / 1_000) + 1n
    const dryRun = { kind: 'done', taxBps: 0 } as const
    expect(quote).toEqual(Quote.from(request, honestPlan(), { dryRun, now }))
    expect(quote.tx).toBeDefined()
  })

  test('behavior: keeps every parameter', () => {
    const changes = {
      slippageBps: undefined,
      recipient: undefined,
      gasPrice: 7n,
      isExact: true,
      connectors: [tokens.dai, tokens.slu],
      pools: [tokens.dai, `0x${'ab'.repeat(32)}`] as const,
    }
    const { quote } = decode({ prepared: prepare(changes) })
    expect(quote.request).toEqual({ ...request, ...changes })
  })

  test('behavior: a prepared request survives JSON', () => {
    const prepared = JSON.parse(JSON.stringify(prepare())) as PreparedRequest
    expect(decode({ prepared })).toEqual(decode())
  })

  test('behavior: decodes until expiresAt and not a millisecond later', () => {
    const { expiresAt } = prepare()
    expect(decode({ now: expiresAt }).quote.tx).toBeDefined()
    expect(() => decode({ now: expiresAt + 1 })).toThrow('it expired at 1700000130000')
  })

  test.each<[string, Partial<PreparedRequest>]>([
    ['its digest does not match', { amountIn: '1000001' }],
    ['its digest does not match', { recipient: tokens.dai }],
    ['its digest does not match', { recipient: undefined }],
    ['its digest does not match', { slippageBps: 5_000 }],
    ['its digest does not match', { slippageBps: undefined }],
    ['its digest does not match', { deadlineSec: 3_600 }],
    ['its digest does not match', { exact: true }],
    ['its digest does not match', { gasPrice: '1' }],
    ['its digest does not match', { connectors: tokens.dai }],
    ['its digest does not match', { pools: tokens.dai }],
    ['its digest does not match', { in: tokens.weth }],
    ['its digest does not match', { out: tokens.dai }],
    ['its digest does not match', { preparedAt: askedAt + 1 }],
    ['its digest does not match', { expiresAt: askedAt + 999_999 }],
    ['its digest does not match', { digest: `0x${'0'.repeat(64)}` }],
    ['its `chain` is not one of the served chains: ', { chain: 10 }],
    ['its `protocolVersion` is not deployed on Base', { protocolVersion: '2.0.0' }],
    ['its `amountIn` must be above zero', { amountIn: '0' }],
    ['its `amountIn` must be 1 to 77 digits', { amountIn: '1e3' }],
    ['its `gasPrice` must be at most 30 digits', { gasPrice: '-1' }],
    ['its `deadlineSec` must be an integer from 10 to 3600', { deadlineSec: 9 }],
    ['its `slippageBps` must be an integer from 0 to 5000', { slippageBps: 5_001 }],
    ['its `in` is not on the', { in: 'PEPE' }],
    ['its `out` is the same token as `in`', { out: 'WETH' }],
    ['its `recipient` is one of the two tokens', { recipient: tokens.usdc }],
    ['its `connectors` must be 0x and 40 hexadecimal digits', { connectors: 'x' }],
    ['its `pools` must be addresses (0x and 40', { pools: 'x' }],
  ])('error: rejects a request because %s, %#', (reason, changes) => {
    expect(() => decode({ prepared: changed(changes) })).toThrow(
      `\`request\` is not a valid prepared request: ${reason}`,
    )
  })

  test('error: a request from the future', () => {
    expect(() => decode({ now: askedAt - 30_001 })).toThrow('its `preparedAt` is in the future')
  })

  test.each([
    ['strict', ''],
    ['strict', '0x'],
    ['strict', '0xAB'],
    ['strict', `${answerOf(honestPlan())}00`],
    ['strict', answerOf(honestPlan()).slice(0, -2)],
    ['strict', answerOf(honestPlan()).slice(0, -64)],
    ['strict', `${answerOf(honestPlan())}${'0'.repeat(64)}`],
  ])('error: %s: %s', (check, result) => {
    expect(() => decode({ result })).toThrow(`\`result\` fails the check "${check}"`)
  })

  const { route, witness } = honestPlan()
  test.each<[string, Partial<Plan>]>([
    ['bound', { route: { ...route, tokenIn: tokens.dai } }],
    ['bound', { route: { ...route, tokenOut: tokens.dai } }],
    ['bound', { route: { ...route, amountIn: 999_999n } }],
    ['arithmetic', { netOut: 1n }],
    ['witness', { witness: { ...witness, chainId: 1n } }],
    ['witness', { witness: { ...witness, blockNumber: 0n } }],
    ['witness', { witness: { ...witness, timestamp: 0n } }],
    ['witness', { witness: { ...witness, timestamp: 1_699_999_709n } }],
    ['witness', { witness: { ...witness, timestamp: 1_700_000_251n } }],
    ['witness', { witness: { ...witness, timestamp: 2n ** 255n } }],
  ])('error: %s, plan %#', (check, changes) => {
    const result = answerOf(honestPlan(changes))
    expect(() => decode({ result })).toThrow(`\`result\` fails the check "${check}"`)
  })

  test('behavior: a failed dry run becomes a warning, unless the request is exact', () => {
    const result = answerOf(honestPlan({ verdict: 'DryRunFailed' }))
    const { quote } = decode({ result })
    expect(quote.tx).toBeDefined()
    expect(quote.warnings.map(({ code }) => code)).toEqual(['dry_run_missing'])
    const exact = decode({ prepared: prepare({ isExact: true }), result })
    expect(exact.quote).toMatchObject({ canExecute: false, tx: undefined })
    // Without a recipient the call makes no dry run.
    const unpaid = prepare({ recipient: undefined })
    expect(() => decode({ prepared: unpaid, result })).toThrow('the check "bound"')
  })

  test('behavior: accepts both ends of the time window, and any block with an infinite maximum age', () => {
    const at = (timestamp: bigint) => answerOf(honestPlan({ witness: { ...witness, timestamp } }))
    expect(decode({ result: at(1_699_999_710n) }).quote.tx).toBeDefined()
    expect(decode({ result: at(1_700_000_250n) }).quote.tx).toBeDefined()
    const maxBlockAgeSec = Number.POSITIVE_INFINITY
    expect(decode({ result: at(1n), maxBlockAgeSec }).quote.tx).toBeDefined()
  })

  test('error: a valid plan without a route', () => {
    const none = {
      verdict: 'NoRoute' as const,
      route: { ...route, legs: [], grossOut: 0n, impactBps: 0n },
      protocolFee: 0n,
      netOut: 0n,
      ironFloor: 0n,
      upperBound: 2n ** 256n - 1n,
      gapMicroBps: 2n ** 256n - 1n,
      estGas: 0n,
      hops: 0n,
    }
    expect(() => decode({ result: answerOf(honestPlan(none)) })).toThrow(
      'No pools connect the two tokens for this amount.',
    )
  })

  test('behavior: a failed dry run of an exact request gives a quote without calldata', () => {
    const prepared = prepare({ isExact: true })
    const result = answerOf(honestPlan({ verdict: 'DryRunFailed' }))
    const { quote } = decode({ prepared, result })
    expect(quote).toMatchObject({ canExecute: false, tx: undefined })
  })
})
