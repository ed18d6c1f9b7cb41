import { describe, expect, test } from 'vitest'
import { tokens } from '../../test/deployments.js'
import { planOf } from '../../test/plans.js'
import * as Plan from './Plan.js'

const asked = { tokenIn: tokens.weth, tokenOut: tokens.usdc, amountIn: 1_000_000n }
const { route } = planOf()

describe('Plan.problem', () => {
  test('default: none', () => {
    expect(Plan.problem(planOf(), asked)).toBeUndefined()
  })

  test.each([
    ['tokenIn', { route: { ...route, tokenIn: tokens.dai } }],
    ['tokenOut', { route: { ...route, tokenOut: tokens.dai } }],
    ['amountIn', { route: { ...route, amountIn: 999_999n } }],
    ['legs', { route: { ...route, legs: [] } }],
    ['impactBps', { route: { ...route, impactBps: 10_001n } }],
    ['protocolFee', { protocolFee: 5_599n, netOut: 1_994_401n }],
    ['netOut', { netOut: 1_994_401n }],
    ['netOut', { netOut: 0n, protocolFee: 0n, route: { ...route, grossOut: 0n } }],
    ['ironFloor', { ironFloor: 0n }],
    ['ironFloor', { ironFloor: 1_994_401n }],
  ])('error: %s', (name, changes) => {
    expect(Plan.problem(planOf(changes), asked)).toBe(name)
  })

  test('behavior: what is not to be executed is not judged', () => {
    expect(Plan.problem(planOf({ verdict: 'NoRoute', netOut: 0n }), asked)).toBeUndefined()
  })
})
