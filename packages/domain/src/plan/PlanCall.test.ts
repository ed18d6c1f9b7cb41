import { quoterAbi } from '@sluice/abi'
import {
  type Abi,
  decodeFunctionData,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  toFunctionSelector,
  toFunctionSignature,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { registry, tokens } from '../../test/deployments.js'
import { planOf } from '../../test/plans.js'
import { requestOn } from '../../test/requests.js'
import type { Plan } from './Plan.js'
import * as PlanCall from './PlanCall.js'

const plain = {
  tokenIn: tokens.weth,
  tokenOut: tokens.usdc,
  amountIn: 5n,
  isExact: false,
  gasPrice: 0n,
  connectors: [],
} satisfies PlanCall.PlanQuestion

const noOptions = { gasPrice: 0n, connectors: [], excludedVenues: 0n, pools: [] }

function encoded(plan: Plan, verdict = 0): Hex {
  return encodeFunctionResult({
    abi: quoterAbi,
    functionName: 'previewPlanExact',
    result: { ...plan, route: { ...plan.route, legs: [...plan.route.legs] }, verdict },
  })
}

describe('PlanCall.encode', () => {
  test('default: encodes the form without options', () => {
    const data = PlanCall.encode(plain)
    expect(decodeFunctionData({ abi: quoterAbi, data })).toEqual({
      functionName: 'previewPlan',
      args: [tokens.weth, tokens.usdc, 5n],
    })
  })

  test.each([
    ['a gas price', { gasPrice: 7n }, 0n, []],
    ['connectors', { connectors: [tokens.dai] }, 0n, []],
    ['excluded venues', { excludedVenues: [1, 3, 64] }, (1n << 64n) + 10n, []],
    ['pools', { pools: [tokens.usdc, tokens.dai] }, 0n, [tokens.usdc, tokens.dai]],
  ])('behavior: %s need the form with options', (_, changes, mask, pools) => {
    const question = { ...plain, ...changes }
    expect(decodeFunctionData({ abi: quoterAbi, data: PlanCall.encode(question) })).toEqual({
      functionName: 'previewPlan',
      args: [
        tokens.weth,
        tokens.usdc,
        5n,
        {
          gasPrice: question.gasPrice,
          connectors: question.connectors,
          excludedVenues: mask,
          pools: pools.map(BigInt),
        },
      ],
    })
  })

  test('default: names, selectors and signatures are those of the ABI', () => {
    const functions = (quoterAbi as Abi)
      .filter((item) => item.type === 'function')
      .filter(({ name }) => name.startsWith('previewPlan'))
    const chain = registry.get(8_453)!
    const output = { amountIn: 0n, amountOut: 9n }
    const calls = [
      {},
      { gasPrice: 1n },
      { isExact: true },
      output,
      { ...output, isExact: true },
    ].map((changes) => {
      const { data, function: name, signature } = PlanCall.of(requestOn(chain, changes))
      return [name, signature, data.slice(0, 10)]
    })
    expect(calls.sort()).toEqual(
      functions
        .map((item) => [item.name, toFunctionSignature(item), toFunctionSelector(item)])
        .sort(),
    )
  })

  test.each([
    ['previewPlanForOutput', false],
    ['previewPlanForOutputExact', true],
  ])('behavior: a question for an output calls %s', (functionName, isExact) => {
    const question = { ...plain, amountIn: 0n, amountOut: 9n, gasPrice: 7n, isExact }
    expect(decodeFunctionData({ abi: quoterAbi, data: PlanCall.encode(question) })).toEqual({
      functionName,
      args: [tokens.weth, tokens.usdc, 9n, { ...noOptions, gasPrice: 7n }],
    })
  })

  test('behavior: an exact quote calls previewPlanExact', () => {
    const data = PlanCall.encode({ ...plain, isExact: true })
    expect(decodeFunctionData({ abi: quoterAbi, data })).toEqual({
      functionName: 'previewPlanExact',
      args: [tokens.weth, tokens.usdc, 5n, noOptions],
    })
  })
})

describe('PlanCall.read', () => {
  test.each([
    ['the form without options', {}],
    ['a gas price', { gasPrice: 7n }],
    ['connectors', { connectors: [tokens.dai], amountIn: 2n ** 200n }],
    ['an exact quote', { isExact: true }],
    ['excluded venues', { excludedVenues: [1, 64], gasPrice: 1n }],
    [
      'connectors and pools',
      { connectors: [tokens.dai], pools: [tokens.usdc, tokens.weth], excludedVenues: [2] },
    ],
    ['a pool by its id', { pools: [`0x${'ab'.repeat(32)}` as Hex, tokens.usdc] }],
    ['an output', { amountIn: 0n, amountOut: 9n }],
    ['an exact quote of an output', { amountIn: 0n, amountOut: 9n, isExact: true }],
  ])('default: reads %s', (_, changes) => {
    const question = { ...plain, ...changes }
    expect(PlanCall.read(PlanCall.encode(question))).toEqual(question)
  })

  test.each([
    ['nothing', '0x' as Hex],
    ['another function', '0x720fec12' as Hex],
    ['a truncated call', PlanCall.encode(plain).slice(0, -2) as Hex],
    ['trailing bytes', `${PlanCall.encode(plain)}00` as Hex],
    [
      'the form with options that are all zero',
      encodeFunctionData({
        abi: quoterAbi,
        functionName: 'previewPlan',
        args: [tokens.weth, tokens.usdc, 5n, noOptions],
      }),
    ],
  ])('error: %s', (_, data) => {
    expect(PlanCall.read(data)).toBeUndefined()
  })
})

describe('PlanCall.decode', () => {
  test('default: returns the encoded plan', () => {
    expect(PlanCall.decode(encoded(planOf()))).toEqual(planOf())
    expect(PlanCall.decode(encoded(planOf(), 6)).verdict).toBe('BelowFloor')
  })

  test.each([
    ['nothing', '0x' as Hex],
    ['a truncated result', encoded(planOf()).slice(0, -64) as Hex],
    ['trailing bytes', `${encoded(planOf())}${'00'.repeat(32)}` as Hex],
    ['an unknown verdict', encoded(planOf(), 7)],
  ])('error: %s', (_, data) => {
    expect(() => PlanCall.decode(data)).toThrow(PlanCall.UndecodablePlanError)
  })

  test('error: a changed word changes the plan or is rejected', () => {
    const honest = encoded(planOf())
    for (let at = 2; at < honest.length; at += 64) {
      const word = honest.slice(at, at + 64)
      const flipped = `${word.slice(0, 63)}${word.endsWith('1') ? '0' : '1'}`
      const data = `${honest.slice(0, at)}${flipped}${honest.slice(at + 64)}` as Hex
      const outcome = attempt(() => PlanCall.decode(data))
      expect(outcome).not.toEqual(planOf())
    }
  })
})

function attempt(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
