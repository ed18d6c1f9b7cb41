import { describe, expect, test } from 'vitest'
import { deployments, tokens } from '../../test/deployments.js'
import { planOf } from '../../test/plans.js'
import * as Registry from '../registry/Registry.js'
import type { QuoteRequest } from '../request/QuoteRequest.js'
import * as GasCost from './GasCost.js'

const chain = Registry.from(deployments, [8_453]).get(8_453)!

function requestOf(changes: Partial<QuoteRequest> = {}): QuoteRequest {
  return {
    chain,
    tokenIn: { address: tokens.dai, isNative: false },
    tokenOut: { address: tokens.usdc, isNative: false },
    amountIn: 1_000_000n,
    recipient: undefined,
    slippageBps: undefined,
    deadlineSec: 120,
    isExact: false,
    gasPrice: 10n,
    connectors: [],
    ...changes,
  }
}

function costOf(changes: Partial<QuoteRequest> = {}, plan = planOf(), rate?: GasCost.Rate) {
  return GasCost.of({ request: requestOf(changes), plan, estGas: plan.estGas }, rate)
}

const weth = { address: chain.wrappedNative, isNative: false }

describe('GasCost.of', () => {
  test('default: converts at the rate of the native coin, rounded up', () => {
    const rate = { wei: 3n, out: 2n }
    expect(costOf({}, planOf(), rate)).toBe(866_667n)
  })

  test('behavior: needs no conversion if the output is the native coin', () => {
    expect(costOf({ tokenOut: weth })).toBe(1_300_000n)
  })

  test('behavior: uses the price before the trade if the input is the native coin', () => {
    // The rate is 2, times 10,000 / 9,988 before an impact of 12 basis points.
    expect(costOf({ tokenIn: weth })).toBe(2_603_124n)
  })

  test('behavior: is zero without a gas price', () => {
    expect(costOf({ gasPrice: 0n })).toBe(0n)
  })

  test('behavior: is undefined if the native coin has no known price', () => {
    expect(costOf()).toBeUndefined()
    expect(costOf({}, planOf(), { wei: 0n, out: 1n })).toBeUndefined()
    const { route } = planOf()
    const emptied = planOf({ route: { ...route, impactBps: 10_000n } })
    expect(costOf({ tokenIn: weth }, emptied)).toBeUndefined()
  })
})

describe('GasCost.sourceOf', () => {
  test('default: caller, node, or none if gas is not counted', () => {
    expect(GasCost.sourceOf(requestOf())).toBe('caller')
    expect(GasCost.sourceOf(requestOf({ takesNodePrice: true }))).toBe('node')
    expect(GasCost.sourceOf(requestOf({ gasPrice: 0n, takesNodePrice: true }))).toBe('none')
  })
})
