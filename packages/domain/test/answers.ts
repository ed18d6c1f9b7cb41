import { quoterAbi } from '@sluice/abi'
import { checksumAddress, encodeFunctionResult, type Hex } from 'viem'
import { type Plan, PlanChecks, Plan as Plans } from '../src/index.js'
import { tokens } from './deployments.js'
import { planOf } from './plans.js'

/** Time of the request in unix milliseconds: ten seconds after the block of the honest plan. */
export const askedAt = 1_700_000_010_000

export const recipient = '0x00000000000000000000000000000000000000AA'

const whole = 10n ** 18n
const leg = planOf().route.legs[0]!
const pool = (digits: string) =>
  checksumAddress(`0x00000000000000000000000000000000000000${digits}`)

/** A plan with two direct legs and a path over DAI, whose numbers all agree. */
export function honestPlan(changes: Partial<Plan.Plan> = {}): Plan.Plan {
  const grossOut = 2_000_000n
  const route = {
    ...planOf().route,
    grossOut,
    legs: [
      { ...leg, share: whole / 3n },
      { ...leg, pool: pool('b1'), share: whole / 2n },
      { ...leg, pool: pool('b2'), tokenOut: tokens.dai, share: whole },
      { ...leg, pool: pool('b3'), tokenIn: tokens.dai, share: whole },
    ],
  }
  return planOf({
    route,
    hops: 2n,
    ironFloor: PlanChecks.ironFloorOf(grossOut, route.impactBps),
    upperBound: grossOut + 1n,
    gapMicroBps: 5_000n,
    ...changes,
  })
}

/** Result of a node for a plan. */
export function answerOf(plan: Plan.Plan): Hex {
  return encodeFunctionResult({
    abi: quoterAbi,
    functionName: 'previewPlanExact',
    result: {
      ...plan,
      route: { ...plan.route, legs: [...plan.route.legs] },
      verdict: Plans.verdicts.indexOf(plan.verdict),
    },
  })
}
