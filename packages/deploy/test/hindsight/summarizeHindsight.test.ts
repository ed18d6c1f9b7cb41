import { expect, test } from 'vitest'
import type { ComparedSwap } from '../../src/check/hindsight/ComparedSwap.js'
import { spread } from '../../src/check/hindsight/findSwaps.js'
import { summarizeHindsight } from '../../src/check/hindsight/summarizeHindsight.js'

/** A swap that paid 10,000, for which Sluice pays so much after its fee. */
function swapOf(netOut: bigint, changes: Partial<ComparedSwap> = {}): ComparedSwap {
  const isWin = netOut > 10_000n
  return {
    amountOut: 10_000n,
    outcome: isWin ? 'win' : 'loss',
    cause: isWin ? 'better_path' : 'worse_route',
    before: { verdict: 'Executable', netOut, grossOut: netOut + 28n, upperBound: netOut + 30n },
    ...changes,
  } as ComparedSwap
}

test('default: quantiles are differences that occurred', () => {
  const swaps = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n].map((more) => swapOf(9_995n + more))
  expect(summarizeHindsight(swaps)).toEqual({
    outcomes: { win: 5, equal: 0, loss: 5, not_comparable: 0 },
    causes: [
      { outcome: 'loss', cause: 'worse_route', swaps: 5, medianBps: -2 },
      { outcome: 'win', cause: 'better_path', swaps: 5, medianBps: 3 },
    ],
    compared: 10,
    netBps: { median: 0, p10: -4, p90: 4 },
    grossBps: { median: 28, p10: 24, p90: 32 },
    boundBps: { median: 30, p10: 26, p90: 34 },
  })
})

test('behavior: what was not quoted is no difference of zero', () => {
  const failed = { before: { failed: 'The node rejected the call at 1.' } }
  const noRoute = { verdict: 'NoRoute', netOut: 0n, grossOut: 0n, upperBound: null }
  const noBound = { verdict: 'Executable', netOut: 10_010n, grossOut: 10_038n, upperBound: null }
  const swaps = [
    swapOf(0n, { ...failed, outcome: 'not_comparable', cause: 'node_failed' }),
    swapOf(20_000n, { outcome: 'not_comparable', cause: 'taxed_token' }),
    swapOf(0n, { before: noRoute as ComparedSwap['before'], cause: 'no_route' }),
    swapOf(10_010n, { before: noBound as ComparedSwap['before'] }),
  ]
  const { boundBps, causes, compared, netBps, outcomes } = summarizeHindsight(swaps)
  expect(outcomes).toEqual({ win: 1, equal: 0, loss: 1, not_comparable: 2 })
  expect([compared, boundBps]).toEqual([1, null])
  expect(netBps).toEqual({ median: 10, p10: 10, p90: 10 })
  const medians = Object.fromEntries(causes.map(({ cause, medianBps }) => [cause, medianBps]))
  expect(medians).toEqual({
    node_failed: null,
    taxed_token: null,
    no_route: null,
    better_path: 10,
  })
})

test('property: any first part of what is spread is from all over', () => {
  const places = spread(Array.from({ length: 1_000 }, (_, place) => place))
  expect([...places].sort((a, b) => a - b)).toEqual(Array.from({ length: 1_000 }, (_, i) => i))
  for (const count of [10, 37, 200]) {
    const first = places.slice(0, count)
    const inThird = [0, 1, 2].map(
      (third) => first.filter((place) => Math.floor(place / 334) === third).length,
    )
    for (const each of inThird) expect(each).toBeGreaterThan(count / 6)
  }
})
