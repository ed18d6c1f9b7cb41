import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Minimum from './Minimum.js'

describe('Minimum.from', () => {
  test('default: is the floor without a slippage tolerance', () => {
    expect(Minimum.from({ netOut: 1_000n, ironFloor: 900n })).toBe(900n)
  })

  test('behavior: subtracts the slippage tolerance, rounding up', () => {
    expect(Minimum.from({ netOut: 1_000_001n, ironFloor: 990_000n, slippageBps: 50 })).toBe(
      995_001n,
    )
  })

  test('behavior: is the whole output with a tolerance of zero', () => {
    expect(Minimum.from({ netOut: 1_000_001n, ironFloor: 1n, slippageBps: 0 })).toBe(1_000_001n)
  })

  test('behavior: is the floor if the tolerance is wider', () => {
    expect(Minimum.from({ netOut: 1_000n, ironFloor: 900n, slippageBps: 5_000 })).toBe(900n)
  })

  test('property: is the smallest integer within the tolerance, or the floor', () => {
    const amount = fc.bigInt({ min: 1n, max: 2n ** 200n })
    const bps = fc.integer({ min: 0, max: Minimum.maxSlippageBps })
    fc.assert(
      fc.property(amount, amount, bps, (netOut, ironFloor, slippageBps) => {
        const minimum = Minimum.from({ netOut, ironFloor, slippageBps })
        if (minimum === ironFloor) return
        const kept = netOut * BigInt(10_000 - slippageBps)
        expect(minimum * 10_000n >= kept && (minimum - 1n) * 10_000n < kept).toBe(true)
        expect(minimum > ironFloor && minimum <= netOut).toBe(true)
      }),
    )
  })
})
