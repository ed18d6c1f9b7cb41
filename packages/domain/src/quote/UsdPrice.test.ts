import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planOf } from '../../test/plans.js'
import type { Plan } from '../plan/Plan.js'
import { noBound } from '../plan/Plan.js'
import * as UsdPrice from './UsdPrice.js'

const whole = 10n ** 18n

/** A plan that sells `amountIn` for `grossOut`. */
function trade(amountIn: bigint, grossOut: bigint, changes: Partial<Plan> = {}): Plan {
  const plan = planOf()
  return planOf({ ...changes, route: { ...plan.route, amountIn, grossOut } })
}

const bought = (tokens: bigint, changes?: Partial<Plan>) => trade(UsdPrice.probe, tokens, changes)
const sold = (tokens: bigint, usdc: bigint, changes?: Partial<Plan>) => trade(tokens, usdc, changes)

describe('UsdPrice.of', () => {
  test('default: a token of two dollars that costs 0.3 % each way', () => {
    const verdict = UsdPrice.of(
      bought((whole * 997n) / 2n),
      sold((whole * 997n) / 2n, 994_009_000n),
    )
    expect(verdict).toEqual({
      ok: true,
      price: { tokens: (whole * 997n) / 2n, paid: 1_000_000_000n, received: 994_009_000n },
    })
    const { price } = verdict as { price: UsdPrice.UsdPrice }
    expect([
      UsdPrice.value(price, whole),
      UsdPrice.cost(price, whole),
      UsdPrice.proceeds(price, whole),
    ]).toEqual(['2', '2.00601805416', '1.994'])
  })

  test.each([
    ['shallow', bought(whole), sold(whole, 949_999_999n)],
    ['inconsistent', bought(whole), sold(whole, 1_020_000_001n)],
    ['unproven', bought(whole, { upperBound: noBound }), sold(whole, 999_000_000n)],
    ['unproven', bought(whole), sold(whole, 999_000_000n, { gapMicroBps: 50_000_001n })],
  ])('error: %s', (cause, first, second) => {
    expect(UsdPrice.of(first, second)).toEqual({ ok: false, cause })
  })

  test('error: shallow if one trade moves the price by more than 5 %', () => {
    const plan = bought(whole)
    const moved = { ...plan, route: { ...plan.route, impactBps: 501n } }
    expect(UsdPrice.of(moved, sold(whole, 999_000_000n))).toEqual({ ok: false, cause: 'shallow' })
  })

  test('property: a single pool makes a price only if it holds at least 38,000 USDC', () => {
    const reserve = fc.bigInt({ min: 10n ** 6n, max: 10n ** 12n })
    const tokens = fc.bigInt({ min: 10n ** 6n, max: 10n ** 30n })
    fc.assert(
      fc.property(reserve, tokens, (usdc, held) => {
        // A constant product without a fee; both trades begin at the same state.
        const out = (held * UsdPrice.probe) / (usdc + UsdPrice.probe)
        fc.pre(out > 0n)
        const back = (usdc * out) / (held + out)
        const verdict = UsdPrice.of(bought(out), sold(out, back))
        const cause = usdc < 38_000n * 10n ** 6n ? 'shallow' : undefined
        expect('cause' in verdict ? verdict.cause : undefined).toBe(cause)
      }),
      { seed: 17, examples: [[38_000n * 10n ** 6n - 1n, 10n ** 30n]] },
    )
  })
})

describe('UsdPrice.value', () => {
  test.each([
    [whole, '2000'],
    [whole / 1_000n, '2'],
    [1n, '0.000000000000002'],
    [0n, '0'],
    [123_456_789n * whole, '246913578000'],
  ])('default: %s base units', (amount, value) => {
    const price = { tokens: whole, paid: 2_000_000_000n, received: 2_000_000_000n }
    expect(UsdPrice.value(price, amount)).toBe(value)
  })

  test('behavior: keeps twelve digits, and always cents', () => {
    const price = { tokens: 3n * whole, paid: 1_000_000_000n, received: 1_000_000_000n }
    expect(UsdPrice.value(price, whole)).toBe('333.333333333')
    expect(UsdPrice.value(price, 10n ** 12n * whole)).toBe('333333333333333.33')
  })

  test('property: the value is between the proceeds and the cost', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 40n })
    fc.assert(
      fc.property(amount, amount, fc.bigInt({ min: 1n, max: 10n ** 10n }), (held, tokens, less) => {
        const price = { tokens, paid: 10n ** 10n + less, received: 10n ** 10n }
        const [cost, value, proceeds] = [
          UsdPrice.cost(price, held),
          UsdPrice.value(price, held),
          UsdPrice.proceeds(price, held),
        ].map(Number)
        expect(value).toBeLessThanOrEqual(cost!)
        expect(value).toBeGreaterThanOrEqual(proceeds!)
      }),
      { seed: 17 },
    )
  })
})
