import { expect, test } from 'vitest'
import { differenceBps, type Facts, judge } from '../../src/check/hindsight/Judgment.js'
import type { Answer } from '../../src/check/hindsight/quoteSwap.js'

const token = '0x0000000000000000000000000000000000000011'
const pool = '0x00000000000000000000000000000000000000c1'
const leg = { venue: 1, pool, tokenIn: token, tokenOut: pool, key: 0n, share: 1n } as const

/** A quote that pays so much after the fee, and 28 more before it. */
function quote(netOut: bigint, changes: object = {}): Answer {
  return {
    ...{ verdict: 'Executable', netOut, grossOut: netOut + 28n, upperBound: null, gapBps: null },
    ...{ estGas: 1n, truncated: false, legs: [leg] },
    ...changes,
  }
}

function judged(before: Answer, after: Answer, facts: Partial<Facts> = {}) {
  const swap = { amountOut: 10_000n, keptOut: 0n }
  const rest = { isMoved: false, isTaxed: false, uncovered: [] }
  const { cause, outcome } = judge({ swap, before, after, ...rest, ...facts })
  return `${outcome}: ${cause}`
}

const uncovered = [{ pool, emitter: pool, isShared: false }] as const
const failed = { failed: 'The node rejected the call at 1.' }
const noRoute = quote(0n, { verdict: 'NoRoute', grossOut: 0n, legs: [] })
const kept = { swap: { amountOut: 10_000n, keptOut: 20n } }

test.each<[expected: string, ...Parameters<typeof judged>]>([
  ['win: better_path', quote(10_010n), quote(9_900n)],
  ['win: better_split', quote(10_010n, { legs: [leg, leg] }), quote(9_900n)],
  ['win: their_fee', quote(10_020n), quote(9_900n), kept],
  ['win: better_path', quote(10_021n), quote(9_900n), kept],
  ['win: price_moved', quote(10_010n), quote(9_900n), { isMoved: true }],
  ['win: better_path', quote(10_010n), quote(10_000n), { isMoved: true }],
  ['equal: same', quote(10_000n), quote(9_900n)],
  ['loss: our_fee', quote(9_999n), quote(9_000n)],
  ['loss: our_fee', quote(9_972n), quote(9_000n), { uncovered }],
  ['loss: not_covered', quote(9_971n), quote(9_000n), { uncovered, isMoved: true }],
  ['loss: price_moved', quote(9_971n), quote(9_000n), { isMoved: true }],
  ['loss: price_moved', quote(9_971n), quote(9_972n), { uncovered }],
  ['loss: truncated', quote(9_971n, { truncated: true }), quote(9_000n)],
  ['loss: worse_route', quote(9_971n), quote(9_000n)],
  ['loss: worse_route', quote(9_971n), failed],
  ['loss: no_route', noRoute, noRoute],
  ['loss: not_covered', noRoute, noRoute, { uncovered }],
  ['not_comparable: taxed_token', quote(20_000n), quote(20_000n), { isTaxed: true }],
  ['not_comparable: node_failed', failed, quote(9_000n)],
])('default: %s', (expected, ...facts) => {
  expect(judged(...facts)).toBe(expected)
})

test('default: differences are parts of what was paid', () => {
  expect(differenceBps(10_050n, 10_000n)).toBe(50)
  expect(differenceBps(9_999n, 10_000n)).toBe(-1)
  expect(differenceBps(10n ** 30n + 1n, 10n ** 30n)).toBe(0)
  expect(differenceBps(null, 10_000n)).toBeNull()
})
