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
    ['dai', 18],
    ['cbBTC', 8],
    ['USDT', undefined],
    ['0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb', 18],
    ['DOGE', undefined],
  ])('default: %s has %s decimals', (token, decimals) => {
    expect(Decimals.find(8_453, token)).toBe(decimals)
  })

  test('behavior: a token on an unlisted chain is unknown', () => {
    expect(Decimals.find(31_337, Chains.base.usdc)).toBeUndefined()
  })
})

test('property: toBase reverses toHuman', () => {
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
  'error: %j is not an amount with six decimals',
  (text) => {
    expect(Decimals.toBase(text, 6)).toBeUndefined()
  },
)

describe('Decimals.toDisplay', () => {
  test.each([
    [0n, 18, undefined, '0'],
    [999n, 0, undefined, '999'],
    [1_234_567_890_000n, 6, undefined, '1,234,567.89'],
    [1_234_567_890_000n, 6, 1, '1,234,567.8'],
    [1_999_999n, 6, 2, '1.99'],
    [1n, 18, 4, '0'],
    [1_000_000n, 6, 2, '1'],
  ])(
    'default: %s with %i decimals and %j digits is shown as %s',
    (base, decimals, digits, text) => {
      expect(Decimals.toDisplay(base, decimals, { digits })).toBe(text)
    },
  )

  test('property: shows the exact number, with separators', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 200n), fc.integer({ min: 0, max: 30 }), (base, decimals) => {
        const shown = Decimals.toDisplay(base, decimals)
        expect(shown.replaceAll(',', '')).toBe(Decimals.toHuman(base, decimals))
        expect(shown.split('.')[0]).toMatch(/^\d{1,3}(,\d{3})*$/)
      }),
    )
  })
})
