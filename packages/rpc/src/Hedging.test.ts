import { expect, test } from 'vitest'
import { createHedging } from './Hedging.js'

test('default: 150 ms until twenty answers were timed, then their 95th percentile', () => {
  const hedging = createHedging()
  for (let ms = 101; ms <= 119; ms++) hedging.noteSuccess('preview', ms)
  expect(hedging.delayMs('preview')).toBe(150)
  hedging.noteSuccess('preview', 120)
  expect(hedging.delayMs('preview')).toBe(119)
  expect(hedging.delayMs('exact')).toBe(150)
})

test.each([
  [1, 50],
  [9_000, 500],
])('behavior: answers of %i ms make it %i ms', (took, delayMs) => {
  const hedging = createHedging()
  for (let count = 0; count < 20; count++) hedging.noteSuccess('exact', took)
  expect(hedging.delayMs('exact')).toBe(delayMs)
})

test('behavior: forgets all but the last two hundred', () => {
  const hedging = createHedging()
  for (let count = 0; count < 200; count++) hedging.noteSuccess('header', 400)
  for (let count = 0; count < 200; count++) hedging.noteSuccess('header', 60)
  expect(hedging.delayMs('header')).toBe(60)
})

test('behavior: a budget of twenty hedges and one more for every ten requests', () => {
  const hedging = createHedging()
  const spent = () => Array.from({ length: 30 }, hedging.spend).filter(Boolean).length
  expect(spent()).toBe(20)
  for (let count = 0; count < 31; count++) hedging.earn()
  expect(spent()).toBe(3)
  for (let count = 0; count < 1_000; count++) hedging.earn()
  expect(spent()).toBe(20)
})
