import { expect, test } from 'vitest'
import { createHedging } from './Hedging.js'

test('default: the delay is 150 ms for the first twenty responses, then their 95th percentile', () => {
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
])('behavior: responses of %i ms make a delay of %i ms', (took, delayMs) => {
  const hedging = createHedging()
  for (let count = 0; count < 20; count++) hedging.noteSuccess('exact', took)
  expect(hedging.delayMs('exact')).toBe(delayMs)
})

test('behavior: uses only the last two hundred responses', () => {
  const hedging = createHedging()
  for (let count = 0; count < 200; count++) hedging.noteSuccess('header', 400)
  for (let count = 0; count < 200; count++) hedging.noteSuccess('header', 60)
  expect(hedging.delayMs('header')).toBe(60)
})

test('behavior: allows twenty hedges, and one more for every ten requests', () => {
  const hedging = createHedging()
  const spent = () => Array.from({ length: 30 }, hedging.spend).filter(Boolean).length
  expect(spent()).toBe(20)
  for (let count = 0; count < 31; count++) hedging.earn()
  expect(spent()).toBe(3)
  for (let count = 0; count < 1_000; count++) hedging.earn()
  expect(spent()).toBe(20)
})
