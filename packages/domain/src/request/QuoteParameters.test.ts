import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { registry, tokens } from '../../test/deployments.js'
import * as PlanCall from '../plan/PlanCall.js'
import * as PreparedRequest from './PreparedRequest.js'
import * as QuoteParameters from './QuoteParameters.js'

const good = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: '1000' }

function parse(texts: Readonly<Record<string, string>>, symbols?: QuoteParameters.Symbols<'late'>) {
  const given = new Map(Object.entries(texts).map(([name, text]) => [name, { text }]))
  return QuoteParameters.parse(registry, given, { symbols })
}

describe('QuoteParameters.parse', () => {
  test('default: the recipient is the sender if there is no `recipient`', () => {
    const sender = '0x00000000000000000000000000000000000000AA'
    const recipient = '0x00000000000000000000000000000000000000bb'
    expect(parse({ ...good, sender })).toMatchObject({ request: { sender, recipient: sender } })
    expect(parse({ ...good, sender, recipient })).toMatchObject({ request: { sender, recipient } })
  })

  test('behavior: uses the token or the error code of a symbol that was looked up', () => {
    const key = QuoteParameters.symbolKey(8_453, 'pepe')
    const token = { address: tokens.dai, isNative: false }
    const found = parse({ ...good, in: 'PEPE' }, new Map([[key, { ok: true, token }]]))
    expect(found).toMatchObject({ ok: true, request: { tokenIn: token } })
    const late = { ok: false, isUnresolved: true, code: 'late', reason: 'is late' } as const
    expect(parse({ ...good, in: 'PEPE' }, new Map([[key, late]]))).toEqual({
      ok: false,
      problems: [{ field: 'in', code: 'late', reason: 'is late' }],
    })
  })

  test('behavior: takes an output in place of an input', () => {
    const { amountIn: _, ...rest } = good
    expect(parse({ ...rest, amountOut: '5' })).toMatchObject({
      request: { amountIn: 0n, amountOut: 5n },
    })
    expect(parse(good)).not.toHaveProperty('request.amountOut')
  })

  test('error: both amounts, none of them, or a malformed output', () => {
    const { amountIn: _, ...rest } = good
    const problemsOf = (texts: Readonly<Record<string, string>>) => {
      const parsed = parse(texts)
      return parsed.ok ? [] : parsed.problems.map(({ code, field }) => [field, code])
    }
    expect(problemsOf({ ...good, amountOut: '5' })).toEqual([['amountOut', 'bad_amount_out']])
    expect(problemsOf(rest)).toEqual([['amountIn', 'bad_amount_in']])
    for (const amountOut of ['0', '1.5', '-1', '1'.repeat(78)])
      expect(problemsOf({ ...rest, amountOut })).toEqual([['amountOut', 'bad_amount_out']])
  })

  test('error: a value that is not a string keeps its own reason', () => {
    const given = new Map<string, { text: string } | { problem: string }>([
      ...Object.entries(good).map(([name, text]) => [name, { text }] as const),
      ['amountIn', { problem: 'is a list' }],
    ])
    expect(QuoteParameters.parse(registry, given)).toEqual({
      ok: false,
      problems: [{ field: 'amountIn', code: 'bad_amount_in', reason: 'is a list' }],
    })
  })

  test('property: a prepared request opens as the same quote request', () => {
    const address = fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .filter((bytes) => bytes.some((byte) => byte !== 0))
      .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
    const pool = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
    const texts = fc.record(
      {
        chain: fc.constantFrom('base', '8453', '31337'),
        in: fc.constantFrom('ETH', 'WETH', tokens.dai),
        out: fc.constantFrom('USDC', tokens.usdc.toLowerCase()),
        amountIn: fc.bigInt({ min: 1n, max: 10n ** 77n - 1n }).map(String),
        isOutput: fc.boolean(),
        recipient: address,
        sender: address,
        slippageBps: fc.integer({ min: 0, max: 5_000 }).map(String),
        deadlineSec: fc.integer({ min: 10, max: 3_600 }).map(String),
        exact: fc.constant('1'),
        gasPrice: fc.bigInt({ min: 0n, max: 10n ** 30n - 1n }).map(String),
        connectors: fc.array(address, { minLength: 1, maxLength: 4 }).map((list) => list.join()),
        pools: fc
          .array(fc.oneof(address, pool), { minLength: 1, maxLength: 8 })
          .map((list) => list.join()),
      },
      { requiredKeys: ['chain', 'in', 'out', 'amountIn', 'isOutput'] },
    )
    fc.assert(
      fc.property(texts, ({ amountIn, isOutput, ...rest }) => {
        const given = { ...rest, [isOutput ? 'amountOut' : 'amountIn']: amountIn }
        const parsed = parse(given as Record<string, string>)
        if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
        const { takesNodePrice: _, ...request } = parsed.request
        const prepared = PreparedRequest.from(request, {
          call: PlanCall.of(request),
          preparedAt: 7,
        })
        expect(PreparedRequest.open(registry, prepared, { now: 7 })).toEqual(request)
      }),
    )
  })
})
