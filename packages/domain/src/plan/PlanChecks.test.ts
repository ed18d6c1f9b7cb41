import { describe, expect, test } from 'vitest'
import { honestPlan } from '../../test/answers.js'
import { tokens } from '../../test/deployments.js'
import { type Leg, noBound, type Plan } from './Plan.js'
import * as PlanChecks from './PlanChecks.js'

const { route } = honestPlan()
const { amountIn, tokenIn, tokenOut } = route
const asked = { tokenIn, tokenOut, amountIn, isExact: true }

describe('PlanChecks.ironFloorOf', () => {
  // Values of the tests of FeeMath.sol: 100 bps plus a quarter of the impact, at most 500; the floor is rounded up.
  test.each([
    [2_000_000n, 0n, 1_974_456n],
    [2_000_000n, 3n, 1_974_456n],
    [2_000_000n, 4n, 1_974_257n],
    [2_000_000n, 1_600n, 1_894_680n],
    [2_000_000n, 10_000n, 1_894_680n],
    [3n, 0n, 3n],
    [0n, 0n, 1n],
  ])(
    'behavior: the floor for a gross output of %i and an impact of %i bps is %i',
    (grossOut, impactBps, floor) => {
      expect(PlanChecks.ironFloorOf(grossOut, impactBps)).toBe(floor)
    },
  )
})

/** Why a plan is rejected; `undefined` if it is not. */
function reasonOf(plan: Plan): string | undefined {
  return PlanChecks.problem(plan, asked)?.reason
}

describe('PlanChecks.problem of a plan for an output', () => {
  const inputBound = { lowerBound: 999_999n, gapMicroBps: 10_001n }
  const wanted = { ...asked, amountIn: 0n, amountOut: 1_994_400n }
  const reason = (changes: Partial<Plan>, question: PlanChecks.Asked = wanted) =>
    PlanChecks.problem(honestPlan({ inputBound, ...changes }), question)?.reason

  test('default: accepts an honest plan, with or without a bound', () => {
    expect(reason({})).toBeUndefined()
    expect(reason({ inputBound: { lowerBound: noBound, gapMicroBps: noBound } })).toBeUndefined()
    const even = { lowerBound: 1_000_000n, gapMicroBps: 0n }
    expect(reason({ inputBound: even })).toBeUndefined()
  })

  test('error: a plan of the other kind', () => {
    expect(reason({ inputBound: undefined })).toMatch('lowerBound is missing')
    expect(reason({}, asked)).toMatch('lowerBound is present')
  })

  test('error: less output than was asked for, unless a dry run has found that out', () => {
    const more = { ...wanted, amountOut: 1_994_401n }
    expect(reason({}, more)).toBe('netOut is below the requested output')
    expect(reason({ verdict: 'BelowFloor' }, more)).toBeUndefined()
  })

  test.each([
    ['a bound above the input', { lowerBound: 1_000_001n, gapMicroBps: 0n }],
    ['a bound of zero', { lowerBound: 0n, gapMicroBps: 0n }],
    ['a gap that is too small', { lowerBound: 999_999n, gapMicroBps: 10_000n }],
    ['a gap without a bound', { lowerBound: noBound, gapMicroBps: 0n }],
    ['a bound that is too low to prove anything', { lowerBound: 0n, gapMicroBps: noBound }],
  ])('error: %s', (_, changed) => {
    expect(reason({ inputBound: changed })).toMatch(/lowerBound|gap of the input/)
  })

  test('error: an input or a bound is claimed without a route', () => {
    const { upperBound: _, gapMicroBps: __, ...none } = honestPlan()
    const empty = {
      ...none,
      ...{ verdict: 'NoRoute' as const, protocolFee: 0n, netOut: 0n, ironFloor: 0n, estGas: 0n },
      ...{ hops: 0n, upperBound: noBound, gapMicroBps: noBound },
      route: { ...route, amountIn: 0n, legs: [], grossOut: 0n, impactBps: 0n },
      inputBound: { lowerBound: noBound, gapMicroBps: noBound },
    }
    expect(reason(empty)).toBeUndefined()
    expect(reason({ ...empty, inputBound })).toBe('lowerBound is claimed without a route')
    const selling = { ...empty, route: { ...empty.route, amountIn: 1n } }
    expect(reason(selling)).toBe('route.amountIn is not zero, but no route exists')
  })
})

describe('PlanChecks.problem', () => {
  test('default: accepts an honest plan', () => {
    expect(reasonOf(honestPlan())).toBeUndefined()
  })

  test.each([
    [noBound, noBound],
    [2_000_001n * 10n ** 10n - 1n, 100_000_049_989_999_995_000n],
  ])(
    'behavior: a bound of %i for a gross output of 2000000 means a gap of %i',
    (upperBound, gapMicroBps) => {
      expect(reasonOf(honestPlan({ upperBound, gapMicroBps }))).toBeUndefined()
      const less = { upperBound, gapMicroBps: gapMicroBps - 1n }
      expect(reasonOf(honestPlan(less))).toMatch('gapMicroBps is not')
    },
  )

  test.each([noBound, 10n ** 20n])(
    'error: a bound that is too high to prove anything, with a gap of %i',
    (gapMicroBps) => {
      const plan = honestPlan({ upperBound: 2_000_001n * 10n ** 10n, gapMicroBps })
      expect(reasonOf(plan)).toMatch('gapMicroBps is not')
    },
  )

  test('error: a bound is claimed without a route', () => {
    const route = { ...honestPlan().route, legs: [], grossOut: 0n, impactBps: 0n }
    const zero = { protocolFee: 0n, netOut: 0n, ironFloor: 0n, estGas: 0n, hops: 0n }
    const none = { ...zero, route, verdict: 'NoRoute' } as const
    const claimed = honestPlan({ ...none, upperBound: 0n, gapMicroBps: 0n })
    expect(reasonOf(claimed)).toBe('upperBound is claimed without a route')
    const unclaimed = honestPlan({ ...none, upperBound: noBound, gapMicroBps: noBound })
    expect(reasonOf(unclaimed)).toBeUndefined()
  })

  test.each<[string, Partial<Plan>]>([
    ['protocolFee is not', { protocolFee: 5_601n }],
    ['netOut is not', { netOut: 1_994_401n }],
    ['ironFloor is not', { ironFloor: 1n }],
    ['gapMicroBps is not', { gapMicroBps: 4_999n }],
    ['gapMicroBps is not', { upperBound: 2_000_002n }],
    ['estGas is out of range', { estGas: 20_999n }],
    ['poolsRead is zero', { poolsRead: 0n }],
    ['hops is not', { hops: 1n }],
    ['hops is not', { hops: 3n }],
    ['route.legs is not empty', { verdict: 'NoRoute' }],
    ['verdict is NothingOut', { verdict: 'NothingOut' }],
  ])('error: %s', (problem, changes) => {
    expect(reasonOf(honestPlan(changes))).toMatch(problem)
  })

  test('behavior: a route may sell all of a token, buy it again and sell it again', () => {
    const { legs } = honestPlan().route
    const swap = (tokenIn: Leg['tokenIn'], tokenOut: Leg['tokenIn'], percent: bigint) => ({
      ...legs[0]!,
      tokenIn,
      tokenOut,
      share: percent * 10n ** 16n,
    })
    const { dai, slu, usdc, weth } = tokens
    const twice = [
      swap(weth, dai, 50n),
      swap(weth, slu, 100n),
      swap(dai, slu, 100n),
      swap(slu, dai, 50n),
      swap(slu, usdc, 100n),
      swap(dai, usdc, 100n),
    ]
    const plan = honestPlan({ hops: 4n })
    const planOf = (legs: readonly Leg[]) => ({ ...plan, route: { ...plan.route, legs } })
    expect(reasonOf(planOf(twice))).toBeUndefined()
    // Without leg 3, nothing buys SLU between its two sales.
    const once = twice.filter((_, index) => index !== 3)
    expect(reasonOf(planOf(once))).toMatch('legs[2] leaves nothing')
  })

  test.each<[string, number, Partial<Leg>]>([
    ['legs[0] has a venue', 0, { venue: 0 }],
    ['legs[0] has a venue', 0, { venue: 65 }],
    ['legs[1] names the zero address', 1, { pool: `0x${'0'.repeat(40)}` }],
    ['legs[1] names a token as its pool', 1, { pool: tokens.weth }],
    ['legs[3] swaps a token for itself', 3, { tokenOut: tokens.dai }],
    ['legs[0] sells tokenOut', 0, { tokenIn: tokens.usdc, tokenOut: tokens.dai }],
    ['legs[3] buys tokenIn', 3, { tokenOut: tokens.weth }],
    ['legs[0] sells a token that is not held', 0, { tokenIn: tokens.slu, share: 10n ** 18n }],
    ['legs[2] buys a token that nothing sells', 2, { tokenOut: tokens.slu }],
    ['legs[0] leaves nothing', 0, { share: 10n ** 18n }],
    ['legs[0] leaves nothing', 0, { share: 0n }],
    ['legs[3] leaves a part', 3, { share: 10n ** 18n - 1n }],
    ['legs[3] leaves a part', 3, { share: 10n ** 18n + 1n }],
  ])('error: route.%s', (problem, index, changes) => {
    const plan = honestPlan()
    const legs = plan.route.legs.map((leg, at) => (at === index ? { ...leg, ...changes } : leg))
    const found = reasonOf({ ...plan, route: { ...plan.route, legs } })
    expect(found).toContain(problem.replace('legs', 'route.legs'))
  })

  test('error: an impact above 100 %', () => {
    const plan = honestPlan()
    const route = { ...plan.route, impactBps: 10_001n }
    expect(reasonOf({ ...plan, route })).toBe('route.impactBps is above 10000')
  })

  const { venue } = honestPlan().route.legs[0]!
  test.each<[string, Partial<PlanChecks.Asked>]>([
    ['tokenIn differs from the request', { tokenIn: tokens.dai }],
    ['tokenOut differs from the request', { tokenOut: tokens.dai }],
    ['amountIn differs from the request', { amountIn: amountIn + 1n }],
    [`route.legs uses venue ${venue}, which the request excludes`, { excludedVenues: [venue, 64] }],
  ])('error: %s', (reason, changes) => {
    const found = PlanChecks.problem(honestPlan(), { ...asked, ...changes })
    expect(found).toEqual({ check: 'bound', reason })
  })

  test.each(['DryRunFailed', 'BelowFloor'] as const)(
    'error: verdict %s for a request without a dry run',
    (verdict) => {
      const plan = honestPlan({ verdict })
      expect(PlanChecks.problem(plan, asked)).toBeUndefined()
      expect(PlanChecks.problem(plan, { ...asked, isExact: false })).toMatchObject({
        check: 'bound',
      })
    },
  )

  test('behavior: compares addresses without regard to case', () => {
    const lower = tokenIn.toLowerCase() as typeof tokenIn
    expect(PlanChecks.problem(honestPlan(), { ...asked, tokenIn: lower })).toBeUndefined()
  })
})
