import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Chains from './Chains.js'
import * as Decimals from './Decimals.js'

describe('Decimals.find', () => {
  test.each([
    ['ETH', 18],
    ['weth', 18],
    ['SLU', 18],
    ['USDC', 6],
    [Chains.base.usdc, 6],
    [Chains.base.usdc.toLowerCase(), 6],
    [Chains.base.wrappedNative, 18],
    [Chains.ethereum.usdc, undefined],
    ['DAI', undefined],
  ])('default: %s', (token, decimals) => {
    expect(Decimals.find(8_453, token)).toBe(decimals)
  })

  test('behavior: an address of a chain outside the table is a stranger', () => {
    expect(Decimals.find(31_337, Chains.base.usdc)).toBeUndefined()
  })
})

test('property: toBase undoes toHuman', () => {
  const amount = fc.bigInt(0n, 2n ** 190n)
  const decimals = fc.integer({ min: 0, max: 30 })
  fc.assert(
    fc.property(
      amount,
      decimals,
      (base, places) => Decimals.toBase(Decimals.toHuman(base, places), places) === base,
    ),
  )
})

test.each(['', '.5', '1.', '1e6', '-1', '1,5', '0x1', '1.0000001'])(
  'error: %j is no amount of six decimals',
  (text) => {
    expect(Decimals.toBase(text, 6)).toBeUndefined()
  },
)
