import { describe, expect, test } from 'vitest'
import * as SentRoute from './SentRoute.js'
import * as SwapCall from './SwapCall.js'

const [tokenIn, tokenOut] = [
  '0x4200000000000000000000000000000000000006',
  '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
] as const
const leg = { venue: 3, pool: tokenOut, tokenIn, tokenOut, key: 500n, share: 10n ** 18n }
const route = { tokenIn, tokenOut, amountIn: 7n, grossOut: 9n, impactBps: 1n, legs: [leg] }
const terms = { minOut: 8n, recipient: tokenIn, deadline: 1n } as const

describe('SentRoute.of', () => {
  test.each(['allowance', 'nativeIn', 'nativeOut'] as const)('default: of a swap, %s', (way) => {
    expect(SentRoute.of(SwapCall.encode({ ...terms, route, way }))).toEqual(route)
  })

  test('behavior: of a swap of which an integrator takes a part', () => {
    const integratorFee = { integrator: tokenIn, bps: 25 }
    expect(SentRoute.of(SwapCall.encode({ ...terms, route, integratorFee }))).toEqual(route)
  })

  test('behavior: calldata of anything else has none', () => {
    expect(SentRoute.of('0x')).toBeUndefined()
    expect(SentRoute.of('0x12345678')).toBeUndefined()
  })
})
