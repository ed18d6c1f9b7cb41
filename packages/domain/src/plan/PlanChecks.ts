import * as Addresses from '../values/Addresses.js'
import * as Amounts from '../values/Amounts.js'
import { type Leg, noBound, type Plan, type Route } from './Plan.js'
import type { PlanQuestion } from './PlanCall.js'

/** Whole of a holding, in the unit of `share`. */
export const wholeShare = 10n ** 18n
/** Most venues that a Hub holds; they are numbered from 1. */
export const maxVenues = 64

/** What every route may lose against its quote, and what a trade's own impact adds to it. From `FeeMath.sol`. */
const allowance = { baseBps: 100n, impactPerBps: 4n, maxBps: 500n } as const
/** Millionths of a basis point in the whole. */
const microBps = 10n ** 10n
/** A transaction's fixed part, and more than any block holds. */
const gasRange = { min: 21_000n, max: 10n ** 9n } as const

/**
 * Least net output that the Router lets through for a route quoted with these numbers, rounded up; the contracts'
 * `ironFloorOf`.
 */
export function ironFloorOf(grossOut: bigint, impactBps: bigint): bigint {
  const netOut = grossOut - Amounts.protocolFeeOf(grossOut)
  const wanted = allowance.baseBps + impactBps / allowance.impactPerBps
  const allowed = wanted > allowance.maxBps ? allowance.maxBps : wanted
  const floor = divideUp(netOut * (Amounts.wholeBps - allowed), Amounts.wholeBps)
  return floor === 0n ? 1n : floor
}

/** The two tokens and the amount of a question. */
export type Trade = Pick<PlanQuestion, 'tokenIn' | 'tokenOut' | 'amountIn'>

/** What a plan must answer. */
export type Asked = Trade & Pick<PlanQuestion, 'isExact'>

/** A check that a plan fails, and why, as "member reason". */
export type Problem = { readonly check: 'bound' | 'arithmetic'; readonly reason: string }

/**
 * Judges a plan, whoever read it from whichever node: it must answer what was asked (`bound`), every number that follows
 * from others is computed again, and the legs are looked at as the Router will (`arithmetic`).
 *
 * A node that returns a plan with a problem is broken or lying, so nothing of the plan may be used.
 *
 * @returns The first problem; `undefined` if there is none.
 */
export function problem(plan: Plan, asked: Asked): Problem | undefined {
  const unbound = boundProblem(plan, asked)
  if (unbound !== undefined) return { check: 'bound', reason: unbound }
  const reason = arithmeticProblem(plan)
  return reason === undefined ? undefined : { check: 'arithmetic', reason }
}

function boundProblem({ route, verdict }: Plan, asked: Asked): string | undefined {
  if (!Addresses.equal(route.tokenIn, asked.tokenIn)) return 'tokenIn is another'
  if (!Addresses.equal(route.tokenOut, asked.tokenOut)) return 'tokenOut is another'
  if (route.amountIn !== asked.amountIn) return 'amountIn is another'
  const isDryRun = verdict === 'DryRunFailed' || verdict === 'BelowFloor'
  return isDryRun && !asked.isExact ? 'it tells of a dry run, which was not asked for' : undefined
}

function arithmeticProblem(plan: Plan): string | undefined {
  switch (plan.verdict) {
    case 'NoRoute':
    case 'TokenInNotContract':
    case 'TokenOutNotContract':
      return emptyProblem(plan)
    case 'NothingOut':
      return plan.netOut === 0n ? undefined : 'verdict says that nothing comes out, netOut differs'
    default:
      return numbersProblem(plan) ?? routeProblem(plan.route) ?? hopsProblem(plan)
  }
}

/** Without a route there are no numbers. */
function emptyProblem(plan: Plan): string | undefined {
  const { route } = plan
  if (route.legs.length > 0) return 'route.legs are given where the verdict is that there is none'
  const numbers = [
    route.grossOut,
    route.impactBps,
    plan.protocolFee,
    plan.netOut,
    plan.ironFloor,
    plan.estGas,
    plan.hops,
  ]
  if (numbers.some((number) => number !== 0n)) return 'numbers are given where there is no route'
  if (plan.upperBound !== noBound || plan.gapMicroBps !== noBound)
    return 'upperBound is claimed where there is no route'
  return plan.hasSurplus ? 'hasSurplus is true where there is no route' : undefined
}

function numbersProblem(plan: Plan): string | undefined {
  const { route, upperBound } = plan
  const { grossOut, impactBps } = route
  if (impactBps > Amounts.wholeBps) return 'route.impactBps is above 10000'
  if (plan.protocolFee !== Amounts.protocolFeeOf(grossOut))
    return 'protocolFee is not 28 basis points of grossOut, rounded down'
  if (plan.netOut !== grossOut - plan.protocolFee) return 'netOut is not grossOut less protocolFee'
  if (plan.netOut === 0n) return 'netOut is zero'
  if (plan.ironFloor !== ironFloorOf(grossOut, impactBps))
    return 'ironFloor is not the one that the Router derives from grossOut and impactBps'
  if (plan.gapMicroBps !== gapOf(upperBound, grossOut))
    return 'gapMicroBps is not the distance of grossOut to upperBound'
  if (plan.estGas < gasRange.min || plan.estGas > gasRange.max) return 'estGas is out of range'
  if (plan.poolsRead === 0n) return 'poolsRead is zero'
  return undefined
}

/** In millionths of a basis point, rounded up. Of a bound that proves nothing the Quoter claims neither. */
function gapOf(upperBound: bigint, grossOut: bigint): bigint | undefined {
  if (upperBound === noBound) return noBound
  if (upperBound <= grossOut) return 0n
  if (upperBound / microBps > grossOut) return undefined
  return divideUp((upperBound - grossOut) * microBps, grossOut)
}

function routeProblem(route: Route): string | undefined {
  const { legs } = route
  if (legs.length === 0) return 'route.legs is empty'
  const held = new Set([route.tokenIn])
  const lastLeg = new Map(legs.map((leg, index) => [leg.tokenIn, index]))
  for (const [index, leg] of legs.entries()) {
    const reason = legProblem(route, leg) ?? shareProblem(leg, legs.slice(index + 1))
    if (reason !== undefined) return `route.legs[${index}] ${reason}`
    if (!held.has(leg.tokenIn)) return `route.legs[${index}] sells a token that is not held`
    held.add(leg.tokenOut)
    const isSoldOn = leg.tokenOut === route.tokenOut || lastLeg.get(leg.tokenOut)! > index
    if (!isSoldOn) return `route.legs[${index}] buys a token that nothing sells`
  }
  return undefined
}

/** Addresses carry their checksum, so equal ones are equal texts. */
function legProblem(route: Route, { pool, tokenIn, tokenOut, venue }: Leg): string | undefined {
  if (venue < 1 || venue > maxVenues) return 'names a venue that no Hub has'
  if ([pool, tokenIn, tokenOut].includes(Addresses.zero)) return 'names the zero address'
  if (tokenIn === tokenOut) return 'swaps a token for itself'
  if (pool === tokenIn || pool === tokenOut) return 'has a token for its pool'
  if (tokenIn === route.tokenOut) return 'leads out of tokenOut'
  if (tokenOut === route.tokenIn) return 'leads into tokenIn'
  return undefined
}

/** A leg may take all if its token is bought again before it is sold again: three swaps can pass a token twice. */
function shareProblem({ share, tokenIn }: Leg, after: readonly Leg[]): string | undefined {
  const next = after.findIndex((leg) => leg.tokenIn === tokenIn)
  if (next < 0) return share === wholeShare ? undefined : 'leaves a part of its token behind'
  const isBoughtAgain = after.slice(0, next).some(({ tokenOut }) => tokenOut === tokenIn)
  const maxShare = isBoughtAgain ? wholeShare : wholeShare - 1n
  return share > 0n && share <= maxShare ? undefined : 'leaves nothing for the legs after it'
}

/** Legs on the longest path, counted as the Solver does. */
function hopsProblem({ hops, route }: Plan): string | undefined {
  const depth = new Map([[route.tokenIn, 0]])
  for (const { tokenIn, tokenOut } of route.legs) {
    const here = (depth.get(tokenIn) ?? 0) + 1
    if (here > (depth.get(tokenOut) ?? 0)) depth.set(tokenOut, here)
  }
  const counted = depth.get(route.tokenOut)
  return BigInt(counted ?? 0) === hops ? undefined : 'hops is not the length of the longest path'
}

function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}
