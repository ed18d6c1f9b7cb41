import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Plan from '../plan/Plan.js'
import * as IntegratorFee from './IntegratorFee.js'

const integrator = '0x00000000000000000000000000000000000000a1'
const fee = fc
  .integer(IntegratorFee.bpsRange)
  .map((bps): IntegratorFee.IntegratorFee => ({ integrator, bps }))
const amount = fc.bigInt({ min: 1n, max: 2n ** 128n })

describe('IntegratorFee', () => {
  test('default: each fee is rounded down by itself', () => {
    const thirty = { integrator, bps: 30 } as const
    expect(IntegratorFee.of(10_000n, thirty)).toBe(30n)
    expect(IntegratorFee.of(333n, thirty)).toBe(0n)
    expect(IntegratorFee.netOf(10_000n, thirty)).toBe(9_942n)
    expect(IntegratorFee.netOf(10_000n, undefined)).toBe(9_972n)
    expect(IntegratorFee.ironFloorOf({ grossOut: 10_000n, impactBps: 0n }, thirty)).toBe(9_843n)
  })

  test('property: the floor is within reach of the quote', () => {
    fc.assert(
      fc.property(
        amount,
        fee,
        fc.bigInt({ min: 0n, max: 10_000n }),
        (grossOut, given, impactBps) => {
          const netOut = IntegratorFee.netOf(grossOut, given)
          const floor = IntegratorFee.ironFloorOf({ grossOut, impactBps }, given)
          expect(floor).toBeGreaterThan(0n)
          expect(floor).toBeLessThanOrEqual(netOut)
        },
      ),
    )
  })

  const small = fc.bigInt({ min: 1n, max: 50_000n })

  test('property: what the Quoter is asked for leaves the output after both fees, and at most one unit more', () => {
    const more = fc.bigInt({ min: 0n, max: 20_000n })
    fc.assert(
      fc.property(fc.oneof(small, amount), fee, more, (amountOut, given, extra) => {
        const least = targetOf(IntegratorFee.askedOutput(amountOut, given))
        expect(IntegratorFee.netOf(least + extra, given)).toBeGreaterThanOrEqual(amountOut)
        expect(IntegratorFee.netOf(least, given)).toBeLessThanOrEqual(amountOut + 1n)
      }),
      { numRuns: 2_000 },
    )
  })

  test('property: where a bound of the input is kept, no lower gross output leaves the output', () => {
    const bound = { lowerBound: 1n, gapMicroBps: 0n }
    fc.assert(
      fc.property(fc.oneof(small, amount), fee, (amountOut, given) => {
        const target = targetOf(IntegratorFee.askedOutput(amountOut, given))
        const lower = Array.from({ length: 8 }, (_, k) => target - 1n - BigInt(k))
        const suffices = lower.some(
          (grossOut) => grossOut > 0n && IntegratorFee.netOf(grossOut, given) >= amountOut,
        )
        const kept = IntegratorFee.boundFor(bound, { amountOut, fee: given })
        expect(kept).toEqual(
          suffices ? { lowerBound: Plan.noBound, gapMicroBps: Plan.noBound } : bound,
        )
      }),
      { numRuns: 5_000 },
    )
  })

  test('default: every small output, by trying every gross output', () => {
    let dropped = 0
    for (const bps of [1, 27, 28, 29, 50, 99, 100]) {
      const given = { integrator, bps } as const
      const nets = Array.from({ length: 6_000 }, (_, k) => IntegratorFee.netOf(BigInt(k), given))
      for (let amountOut = 1n; amountOut <= 5_000n; amountOut += 1n) {
        const target = targetOf(IntegratorFee.askedOutput(amountOut, given))
        const least = BigInt(nets.findIndex((net) => net >= amountOut))
        const bound = { lowerBound: 7n, gapMicroBps: 0n }
        const isKept =
          IntegratorFee.boundFor(bound, { amountOut, fee: given })?.lowerBound === bound.lowerBound
        expect({ amountOut, bps, isKept }).toEqual({ amountOut, bps, isKept: target === least })
        if (!isKept) dropped += 1
      }
    }
    // Both fees rounded down at the same gross output: less than one output in a hundred.
    expect(dropped).toBeLessThan(350)
    expect(dropped).toBeGreaterThan(0)
  })
})

/** The least gross output that the Quoter finds for an output after the protocol's fee alone. */
function targetOf(asked: bigint): bigint {
  let least = (asked * 10_000n) / 9_972n
  while (IntegratorFee.netOf(least - 1n, undefined) >= asked) least -= 1n
  while (IntegratorFee.netOf(least, undefined) < asked) least += 1n
  return least
}
