import { describe, expect, test } from 'vitest'
import { tokens } from '../../test/deployments.js'
import { planOf } from '../../test/plans.js'
import * as SwapGas from './SwapGas.js'

describe('SwapGas', () => {
  test("default: the plan's estimate, and a limit above it", () => {
    expect(SwapGas.estimate(planOf(), 'allowance')).toBe(130_000n)
    // 130,000 plus 40 %, plus the first writes of a pool and a recipient, rounded up to thousands.
    expect(SwapGas.limit(planOf(), 'allowance')).toBe(217_000n)
  })

  test('behavior: adds the cost of the way of payment', () => {
    const ways = ['allowance', 'nativeIn', 'nativeOut', 'permit', 'permit2'] as const
    const estimates = ways.map((way) => SwapGas.estimate(planOf(), way))
    expect(estimates).toEqual([130_000n, 137_500n, 138_800n, 162_000n, 170_000n])
    const limits = ways.map((way) => SwapGas.limit(planOf(), way))
    expect(limits).toEqual([217_000n, 227_000n, 254_000n, 261_000n, 273_000n])
  })

  test('behavior: the limit covers a first write for each leg and each intermediate token', () => {
    const { route } = planOf()
    const [leg] = route.legs
    const legs = [
      { ...leg!, tokenOut: tokens.dai },
      { ...leg!, tokenIn: tokens.dai },
    ]
    const twoHops = planOf({ route: { ...route, legs } })
    const more = SwapGas.limit(twoHops, 'allowance') - SwapGas.limit(planOf(), 'allowance')
    expect(more).toBe(34_000n)
  })

  test('behavior: the estimate is zero if no route exists', () => {
    expect(SwapGas.estimate({ estGas: 0n }, 'nativeIn')).toBe(0n)
  })

  test('behavior: a limit from measured gas includes calldata, the 64th that a call keeps, and the reserve', () => {
    // 21,000 + 2 × 16 + 4, and 63,000 × 64 / 63 × 1.4.
    expect(SwapGas.limitOfMeasured({ callGas: 63_000n, data: '0x01ff00' })).toBe(111_000n)
    expect(SwapGas.limitOfMeasured({ callGas: 63_000n, data: '0x01ff00', legs: 1 })).toBe(128_000n)
  })
})
