import { describe, expect, test } from 'vitest'
import { json, serviceOf } from '../../sdk/test/service.js'
import { interpret, knownDecimals } from './amount.js'

const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const aero = '0x940181a94A35A4569E4529A3CDfB74e38FD98631'

/** Reads an amount with a service that says how many decimals the token has; null if its contract does not tell. */
function read(
  given: { in: string; amount: string; amountUnit: 'base' | 'human' },
  decimals: number | null = null,
) {
  const { asked, client } = serviceOf([json({ ok: true, tokens: [{ decimals }] })])
  const { signal } = new AbortController()
  return { asked, meaning: interpret(client, { chain: 'base', ...given }, signal) }
}

describe('interpret', () => {
  test.each([
    ['ETH', '1', '1000000000000000000', '1'],
    ['WETH', '1.5', '1500000000000000000', '1.5'],
    ['SLU', '0.000000000000000001', '1', '0.000000000000000001'],
    ['USDC', '2500', '2500000000', '2500'],
    ['usdc', '0.10', '100000', '0.1'],
    [usdc.toLowerCase(), '007.000001', '7000001', '7.000001'],
    ['USDC', '90071992547409.93', '90071992547409930000', '90071992547409.93'],
  ])('default: reads %s %s in human units', async (token, amount, amountInBase, amountInHuman) => {
    const { asked, meaning } = read({ in: token, amount, amountUnit: 'human' })
    expect(await meaning).toMatchObject({ amountInBase, amountInHuman })
    expect((await meaning).interpretation).toBe(
      `amount was read as ${amountInHuman} ${token} (${amountInBase} base units).`,
    )
    expect(asked).toEqual([])
  })

  test('default: reads base units of any token', async () => {
    const { asked, meaning } = read({ in: aero, amount: '15', amountUnit: 'base' })
    expect(await meaning).toEqual({
      amountInBase: '15',
      amountInHuman: null,
      decimals: null,
      interpretation: 'amount was read as 15 base units.',
    })
    expect(asked).toEqual([])
  })

  test('default: asks the service for the decimals of any other address', async () => {
    const { asked, meaning } = read({ in: aero, amount: '1.5', amountUnit: 'human' }, 9)
    expect(await meaning).toEqual({
      amountInBase: '1500000000',
      amountInHuman: '1.5',
      decimals: 9,
      interpretation: `amount was read as 1.5 ${aero} (1500000000 base units).`,
    })
    expect(asked.map(({ url }) => url)).toEqual([
      `http://sluice.test/api/tokens?chain=base&tokens=${aero}`,
    ])
  })

  test.each(['', '-1', '1e18', '1,5', '.5', '1.', '0x1', '1.0000001', ' 1', '1'.repeat(61)])(
    'error: %j USDC in human units',
    async (amount) => {
      const { meaning } = read({ in: 'USDC', amount, amountUnit: 'human' })
      await expect(meaning).rejects.toMatchObject({ failure: { code: 'bad_amount_in' } })
    },
  )

  test.each(['1.5', '', '-1', '1e18', '1'.repeat(78)])(
    'error: %j in base units',
    async (amount) => {
      const { meaning } = read({ in: 'USDC', amount, amountUnit: 'base' })
      await expect(meaning).rejects.toMatchObject({ failure: { code: 'bad_amount_in' } })
    },
  )

  test.each([
    ['an address whose contract does not tell them', aero],
    ['a symbol that is on no list', 'MOSS'],
  ])('error: human units of %s', async (_, token) => {
    const { meaning } = read({ in: token, amount: '1', amountUnit: 'human' })
    await expect(meaning).rejects.toThrow('The decimals of this token are unknown.')
  })
})

test('behavior: the USDC address of one chain is unknown on another', () => {
  expect(knownDecimals('base', usdc)).toBe(6)
  expect(knownDecimals('arbitrum', usdc)).toBeUndefined()
  expect(knownDecimals('nowhere', usdc)).toBeUndefined()
})
