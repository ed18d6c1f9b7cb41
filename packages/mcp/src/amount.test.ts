import { describe, expect, test } from 'vitest'
import { interpret, knownDecimals } from './amount.js'
import { ToolError } from './ToolError.js'

const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const aero = '0x940181a94A35A4569E4529A3CDfB74e38FD98631'

describe('interpret', () => {
  test.each([
    ['ETH', '1', '1000000000000000000', '1'],
    ['WETH', '1.5', '1500000000000000000', '1.5'],
    ['SLU', '0.000000000000000001', '1', '0.000000000000000001'],
    ['USDC', '2500', '2500000000', '2500'],
    ['usdc', '0.10', '100000', '0.1'],
    [usdc.toLowerCase(), '007.000001', '7000001', '7.000001'],
    ['USDC', '90071992547409.93', '90071992547409930000', '90071992547409.93'],
  ])('default: reads %s %s in human units', (token, amount, amountInBase, amountInHuman) => {
    const meaning = interpret({ chain: 'base', in: token, amount, amountUnit: 'human' })
    expect(meaning).toMatchObject({ amountInBase, amountInHuman })
    expect(meaning.interpretation).toBe(
      `amount was read as ${amountInHuman} ${token} (${amountInBase} base units).`,
    )
  })

  test('default: reads base units of any token', () => {
    expect(interpret({ chain: 'base', in: aero, amount: '15', amountUnit: 'base' })).toEqual({
      amountInBase: '15',
      amountInHuman: null,
      decimals: null,
      interpretation: 'amount was read as 15 base units.',
    })
  })

  test.each(['', '-1', '1e18', '1,5', '.5', '1.', '0x1', '1.0000001', ' 1', '1'.repeat(61)])(
    'error: %j USDC in human units',
    (amount) => {
      const read = () => interpret({ chain: 'base', in: 'USDC', amount, amountUnit: 'human' })
      expect(read).toThrow(ToolError)
    },
  )

  test.each(['1.5', '', '-1', '1e18', '1'.repeat(78)])('error: %j in base units', (amount) => {
    const read = () => interpret({ chain: 'base', in: 'USDC', amount, amountUnit: 'base' })
    expect(read).toThrow(ToolError)
  })

  test('error: human units of a token whose decimals are unknown', () => {
    const read = () => interpret({ chain: 'base', in: aero, amount: '1', amountUnit: 'human' })
    expect(read).toThrow('The decimals of this token are unknown.')
  })
})

test('behavior: the USDC address of one chain is unknown on another', () => {
  expect(knownDecimals('base', usdc)).toBe(6)
  expect(knownDecimals('arbitrum', usdc)).toBeUndefined()
  expect(knownDecimals('nowhere', usdc)).toBeUndefined()
})
