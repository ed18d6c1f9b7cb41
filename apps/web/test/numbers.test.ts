import { expect, test } from 'vitest'
import { changeText } from '../src/view/numbers.js'

test.each([
  [1_000_000n, 990_000n, '−1.00 %'],
  [1_000_000n, 1_000_100n, '+0.01 %'],
  [1_000_000n, 1_000_000n, '±0 %'],
  [1_000_000n, 999_999n, 'below 0.01 % less'],
  [1_000_000n, 1_000_001n, 'below 0.01 % more'],
])('default: from %s to %s is %s', (from, to, words) => {
  expect(changeText(from, to)).toBe(words)
})
