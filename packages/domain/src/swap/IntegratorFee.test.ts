import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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

  test('property: what the Quoter is asked for leaves the output after both fees, and at most two units more', () => {
    const small = fc.bigInt({ min: 1n, max: 50_000n })
    const more = fc.bigInt({ min: 0n, max: 20_000n })
    fc.assert(
      fc.property(fc.oneof(small, amount), fee, more, (amountOut, given, extra) => {
        const asked = IntegratorFee.askedOutput(amountOut, given)
        // The least gross output that the Quoter can deliver for it, and any above.
        let least = (asked * 10_000n) / 9_972n
        while (IntegratorFee.netOf(least - 1n, undefined) >= asked) least -= 1n
        while (IntegratorFee.netOf(least, undefined) < asked) least += 1n
        expect(IntegratorFee.netOf(least + extra, given)).toBeGreaterThanOrEqual(amountOut)
        expect(IntegratorFee.netOf(least, given)).toBeLessThanOrEqual(amountOut + 2n)
      }),
      { numRuns: 2_000 },
    )
  })
})
