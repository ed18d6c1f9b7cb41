import { describe, expect, test } from 'vitest'
import * as Refusal from './Refusal.js'

describe('Refusal.of', () => {
  test('default: an output that rounds to zero is a matter of the input', () => {
    expect(Refusal.of('NothingOut')).toEqual({
      code: 'no_route',
      message: '`amountIn` is too small: the output rounds to zero.',
      details: [
        {
          field: 'amountIn',
          code: 'nothing_out',
          reason: 'is too small: the output rounds to zero',
        },
      ],
    })
  })

  test('behavior: it is a matter of the output if one was asked for', () => {
    const { details, message } = Refusal.of('NothingOut', { amountOut: 1n })
    expect(details).toMatchObject([{ field: 'amountOut', code: 'nothing_out' }])
    expect(message).toBe(
      '`amountOut` cannot be bought: the output of every input that was tried rounds to zero.',
    )
  })

  test('behavior: a search that ended early says that more gas may find it', () => {
    const { details, message } = Refusal.of('NothingOut', { amountOut: 1n, truncated: true })
    expect(details).toMatchObject([{ field: 'amountOut', code: 'nothing_out' }])
    expect(message).toBe(
      '`amountOut` was not found with the gas of the call: the output of every input that was tried rounds to zero. Give the call more gas, or ask for more.',
    )
    expect(Refusal.of('NothingOut', { truncated: true })).toBe(Refusal.of('NothingOut'))
  })

  test('behavior: a search without a route that ended early does not claim that there is none', () => {
    const { code, details, message } = Refusal.of('NoRoute', { truncated: true })
    expect(code).toBe('no_route')
    expect(message).toContain('ended before it had read all pools')
    expect(details).toMatchObject([{ field: 'out', code: 'no_pools' }])
    expect(details[0]!.reason).toContain('more gas')
  })

  test('behavior: other verdicts do not depend on the question', () => {
    expect(Refusal.of('NoRoute', { amountOut: 1n })).toBe(Refusal.of('NoRoute'))
  })
})
