import { describe, expect, test } from 'vitest'
import { encodeParameters, InvalidParameterError } from './index.js'

const trade = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: 1n } as const

describe('encodeParameters', () => {
  test('default: encodes strings, and leaves out absent, null, false and empty values', () => {
    expect(
      encodeParameters({
        ...trade,
        chain: 8453,
        recipient: null,
        slippageBps: undefined,
        deadlineSec: 60,
        exact: false,
        connectors: [],
        pools: [],
      }),
    ).toEqual({ chain: '8453', in: 'WETH', out: 'USDC', amountIn: '1', deadlineSec: '60' })
  })

  test('default: encodes a state as JSON, with balances as quantities', () => {
    const [account, slot] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(32)}`] as const
    const overrides = { [account]: { balance: 255n, stateDiff: { [slot]: slot } } } as const
    const text = `{"${account}":{"balance":"0xff","stateDiff":{"${slot}":"${slot}"}}}`
    expect(encodeParameters({ ...trade, overrides })).toMatchObject({ overrides: text })
    expect(encodeParameters({ ...trade, overrides: text })).toMatchObject({ overrides: text })
    for (const absent of [null, undefined])
      expect(encodeParameters({ ...trade, overrides: absent })).not.toHaveProperty('overrides')
  })

  test.each(['amountIn', 'gasPrice'])('error: %s as a number', (field) => {
    const error = errorOf({ [field]: 1 })
    expect(error).toBeInstanceOf(InvalidParameterError)
    expect(error).toMatchObject({ field, status: undefined })
    expect(error.message).toBe(
      `\`${field}\` is a number, which can lose digits; pass a bigint or a string.`,
    )
  })

  test.each(['', '-1', '1.5', '1e18', '0x1', ' 1', '1'.repeat(78), -1n, true, {}, []])(
    'error: amountIn %s',
    (amountIn) => {
      const error = errorOf({ amountIn: amountIn as never })
      expect(error).toMatchObject({ field: 'amountIn', code: 'bad_amount_in' })
    },
  )

  test.each([
    ['slippageBps', 0.5, 'bad_slippage_bps'],
    ['slippageBps', Number.NaN, 'bad_slippage_bps'],
    ['deadlineSec', 1e21, 'bad_deadline_sec'],
    ['chain', 1.5, 'bad_chain'],
    ['exact', 'yes', 'bad_exact'],
  ])('error: %s %j has the error code of the service', (field, value, code) => {
    expect(errorOf({ [field]: value })).toMatchObject({ field, code })
  })
})

function errorOf(changes: object): InvalidParameterError {
  try {
    encodeParameters({ ...trade, ...changes })
  } catch (error) {
    return error as InvalidParameterError
  }
  throw new Error('It was accepted.')
}
