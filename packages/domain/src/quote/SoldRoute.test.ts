import { routerAbi } from '@sluice/abi'
import fc from 'fast-check'
import { decodeFunctionData } from 'viem'
import { describe, expect, test } from 'vitest'
import { registry, tokens } from '../../test/deployments.js'
import { planOf } from '../../test/plans.js'
import { requestOn } from '../../test/requests.js'
import * as Quote from './Quote.js'
import * as SoldRoute from './SoldRoute.js'

const recipient = '0x00000000000000000000000000000000000000AA'
const at = 1_700_000_001n
const inputBound = { lowerBound: 999_999n, gapMicroBps: 10_001n }
const asked = { amountIn: 0n, amountOut: 1_994_000n, recipient } as const

function quoteOf(changes: object = {}) {
  const request = requestOn(registry.get(8_453)!, { ...asked, ...changes })
  return Quote.from(request, planOf({ inputBound }), { now: at })
}

describe('SoldRoute.maxInput', () => {
  test('default: adds 50 bps, rounded up', () => {
    expect(SoldRoute.maxInput(1_000_000n)).toBe(1_005_000n)
    expect(SoldRoute.maxInput(1_000_001n)).toBe(1_005_002n)
    expect(SoldRoute.maxInput(1n)).toBe(2n)
    expect(SoldRoute.maxInput(1n, 0)).toBe(1n)
  })

  test('property: is the least amount that is not below the tolerance', () => {
    const amounts = fc.bigInt({ min: 1n, max: 2n ** 128n })
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 5_000 }), (amountIn, slippageBps) => {
        const most = SoldRoute.maxInput(amountIn, slippageBps) * 10_000n
        const exact = amountIn * BigInt(10_000 + slippageBps)
        expect(most >= exact && most - 10_000n < exact).toBe(true)
      }),
    )
  })
})

describe('Quote.from for an output', () => {
  test('default: sells 50 bps more than quoted, for at least what was asked', () => {
    const quote = quoteOf()
    const route = { ...planOf().route, amountIn: 1_005_000n }
    expect(decodeFunctionData({ abi: routerAbi, data: quote.tx!.data })).toEqual({
      functionName: 'swapExactIn',
      args: [route, 1_005_000n, 1_994_000n, recipient, 1_700_000_121n],
    })
    expect(quote.approval).toEqual({
      token: tokens.weth,
      spender: quote.tx!.to,
      amount: 1_005_000n,
    })
    expect(quote).toMatchObject({ canExecute: true, effectiveMinOut: 1_994_000n, warnings: [{}] })
  })

  test('behavior: the tolerance pads the input and leaves the output alone', () => {
    const quote = quoteOf({ slippageBps: 5_000 })
    expect(quote.soldRoute.amountIn).toBe(1_500_000n)
    expect(quote.effectiveMinOut).toBe(1_994_000n)
    expect(quoteOf({ slippageBps: 0 }).soldRoute).toEqual(planOf().route)
  })

  test('behavior: the floor is the minimum if the plan delivers much more than was asked', () => {
    expect(quoteOf({ amountOut: 1n }).effectiveMinOut).toBe(1_974_456n)
  })

  test('behavior: for an input the transaction sells exactly that', () => {
    const request = requestOn(registry.get(8_453)!, { recipient, slippageBps: 5_000 })
    const plan = planOf()
    expect(Quote.from(request, plan, { now: at }).soldRoute).toBe(plan.route)
  })
})
