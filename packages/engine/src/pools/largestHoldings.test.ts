import { type Address, pad, toHex, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { largestHoldings } from './largestHoldings.js'
import type { Depth } from './readDepths.js'

const [tokenA, tokenB, wrapped] = [1, 2, 3].map((n) => pad(toHex(n), { size: 20 })) as [
  Address,
  Address,
  Address,
]
const depthOf = (most0: number, most1: number, more: Partial<Depth> = {}): Depth => ({
  ...{ token0: tokenA, token1: tokenB, reserve0: 1e9, reserve1: 1e9, most0, most1 },
  ...{ afterFee: 1, ...more },
})
const largest = (...[depths, others]: [readonly Depth[], Parameters<typeof largestHoldings>[1]?]) =>
  Object.fromEntries(largestHoldings(depths, others ?? [], wrapped))

describe('largestHoldings', () => {
  test('default: the most of each token that one pool has', () => {
    expect(largest([depthOf(5, 70), depthOf(40, 6)])).toEqual({ [tokenA]: 40, [tokenB]: 70 })
  })

  test('behavior: no estimate exceeds what pools have in their own name', () => {
    const huge = depthOf(1e30, 1e30, { isEstimate: true })
    const said = { pool: pad('0x09'), tokens: [tokenA], balances: [1e40] }
    expect(largest([huge, depthOf(5, 70)], [said])).toEqual({ [tokenA]: 5, [tokenB]: 70 })
  })

  test('behavior: estimates, and what others are said to hold, count for tokens of no other pool', () => {
    const estimate = depthOf(5, 70, { isEstimate: true })
    const said = { pool: pad('0x09'), tokens: [tokenA, wrapped], balances: [8, 9] }
    expect(largest([estimate], [said])).toEqual({ [tokenA]: 8, [tokenB]: 70, [wrapped]: 9 })
  })

  test('behavior: the native currency counts as its wrapped token', () => {
    const native = depthOf(5, 70, { token0: zeroAddress })
    expect(largest([native])).toEqual({ [wrapped]: 5, [tokenB]: 70 })
  })
})
