import * as Addresses from '../values/Addresses.js'
import * as Amounts from '../values/Amounts.js'
import * as Floor from './Floor.js'
import { type Leg, noBound, type Plan, type Route } from './Plan.js'
import type { PlanQuestion } from './PlanCall.js'

/** Value of `share` for everything that the Router holds of a token. */
export const wholeShare = 10n ** 18n
/** Maximum number of venues in a Hub. Venue numbers start at 1. */
export const maxVenues = 64

/** Millionths of a basis point in 100 %. */
const microBps = 10n ** 10n
/** Gas between the base cost of a transaction and a value above every block limit. */
const gasRange = { min: 21_000n, max: 10n ** 9n } as const

/**
 * Minimum net output that the Router accepts for a route quoted with these numbers, in base units of the output, rounded
 * up. Equals `ironFloorOf` in `FeeMath.sol`.
 */
export function ironFloorOf(grossOut: bigint, impactBps: bigint): bigint {
  return Floor.of(grossOut - Amounts.protocolFeeOf(grossOut), impactBps)
}

/** The two tokens and the amount of a quote. */
export type Trade = Pick<PlanQuestion, 'tokenIn' | 'tokenOut' | 'amountIn' | 'amountOut'>

/** The request that a plan must match. */
export type Asked = Trade & Pick<PlanQuestion, 'excludedVenues' | 'isExact'>

/** The check that a plan fails, and why. The reason starts with the name of the member. */
export type Problem = { readonly check: 'bound' | 'arithmetic'; readonly reason: string }

/**
 * Validates a plan from any node. `bound`: the plan must match the request. `arithmetic`: every number that follows from
 * others is computed again, and the legs must be a route that the Router accepts.
 *
 * A node that returns an invalid plan is broken or dishonest, so no part of the plan may be used.
 *
 * @returns The first problem; `undefined` if the plan is valid.
 */
export function problem(plan: Plan, asked: Asked): Problem | undefined {
  const unbound = boundProblem(plan, asked)
  if (unbound !== undefined) return { check: 'bound', reason: unbound }
  const reason = arithmeticProblem(plan) ?? inputProblem(plan)
  return reason === undefined ? undefined : { check: 'arithmetic', reason }
}

function boundProblem(plan: Plan, asked: Asked): string | undefined {
  const { inputBound, route, verdict } = plan
  if (!Addresses.equal(route.tokenIn, asked.tokenIn)) return 'tokenIn differs from the request'
  if (!Addresses.equal(route.tokenOut, asked.tokenOut)) return 'tokenOut differs from the request'
  if (asked.amountOut !== undefined) {
    if (inputBound === undefined) return 'lowerBound is missing, but an output was requested'
    if (verdict === 'Executable' && plan.netOut < asked.amountOut)
      return 'netOut is below the requested output'
  } else if (inputBound !== undefined) return 'lowerBound is present, but no output was requested'
  else if (route.amountIn !== asked.amountIn) return 'amountIn differs from the request'
  const excluded = route.legs.find(({ venue }) => asked.excludedVenues?.includes(venue))
  if (excluded !== undefined)
    return `route.legs uses venue ${excluded.venue}, which the request excludes`
  const isDryRun = verdict === 'DryRunFailed' || verdict === 'BelowFloor'
  return isDryRun && !asked.isExact
    ? 'verdict is that of a dry run, which was not requested'
    : undefined
}

function arithmeticProblem(plan: Plan): string | undefined {
  switch (plan.verdict) {
    case 'NoRoute':
    case 'TokenInNotContract':
    case 'TokenOutNotContract':
      return emptyProblem(plan)
    case 'NothingOut':
      return plan.netOut === 0n ? undefined : 'verdict is NothingOut, but netOut is not zero'
    default:
      return numbersProblem(plan) ?? routeProblem(plan.route) ?? hopsProblem(plan)
  }
}

/** Why the bound of a plan for an output is invalid. Without a route, nothing is claimed and nothing is sold. */
function inputProblem({ inputBound, route }: Plan): string | undefined {
  if (inputBound === undefined) return undefined
  const { gapMicroBps, lowerBound } = inputBound
  const { amountIn, legs } = route
  if (legs.length === 0) {
    if (amountIn !== 0n) return 'route.amountIn is not zero, but no route exists'
    return lowerBound === noBound && gapMicroBps === noBound
      ? undefined
      : 'lowerBound is claimed without a route'
  }
  if (amountIn === 0n) return 'route.amountIn is zero'
  if (lowerBound === noBound)
    return gapMicroBps === noBound ? undefined : 'the gap of the input is claimed without a bound'
  if (lowerBound === 0n || lowerBound > amountIn)
    return 'lowerBound is not between 1 and route.amountIn'
  return gapMicroBps === gapOf(amountIn, lowerBound)
    ? undefined
    : 'the gap of the input is not the distance from lowerBound to route.amountIn'
}

/** Checks that a plan without a route has no legs and no numbers. */
function emptyProblem(plan: Plan): string | undefined {
  const { route } = plan
  if (route.legs.length > 0)
    return 'route.legs is not empty, but the verdict is that no route exists'
  const numbers = [
    route.grossOut,
    route.impactBps,
    plan.protocolFee,
    plan.netOut,
    plan.ironFloor,
    plan.estGas,
    plan.hops,
  ]
  if (numbers.some((number) => number !== 0n)) return 'numbers are not zero, but no route exists'
  if (plan.upperBound !== noBound || plan.gapMicroBps !== noBound)
    return 'upperBound is claimed without a route'
  return plan.hasSurplus ? 'hasSurplus is true without a route' : undefined
}

function numbersProblem(plan: Plan): string | undefined {
  const { route, upperBound } = plan
  const { grossOut, impactBps } = route
  if (impactBps > Amounts.wholeBps) return 'route.impactBps is above 10000'
  if (plan.protocolFee !== Amounts.protocolFeeOf(grossOut))
    return 'protocolFee is not 28 basis points of grossOut, rounded down'
  if (plan.netOut !== grossOut - plan.protocolFee) return 'netOut is not grossOut - protocolFee'
  if (plan.netOut === 0n) return 'netOut is zero'
  if (plan.ironFloor !== ironFloorOf(grossOut, impactBps))
    return 'ironFloor is not the floor that the Router derives from grossOut and impactBps'
  if (plan.gapMicroBps !== gapOf(upperBound, grossOut))
    return 'gapMicroBps is not the distance from grossOut to upperBound'
  if (plan.estGas < gasRange.min || plan.estGas > gasRange.max) return 'estGas is out of range'
  if (plan.poolsRead === 0n) return 'poolsRead is zero'
  return undefined
}

/**
 * Gap in millionths of a basis point, rounded up, as the Quoter computes it. `undefined` for a bound more than 1e10 times
 * `grossOut`: the Quoter claims no bound then.
 */
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

/** Why a leg is invalid by itself. Compares addresses as strings, because all have their checksum. */
function legProblem(route: Route, { pool, tokenIn, tokenOut, venue }: Leg): string | undefined {
  if (venue < 1 || venue > maxVenues) return `has a venue that is not from 1 to ${maxVenues}`
  if ([pool, tokenIn, tokenOut].includes(Addresses.zero)) return 'names the zero address'
  if (tokenIn === tokenOut) return 'swaps a token for itself'
  if (pool === tokenIn || pool === tokenOut) return 'names a token as its pool'
  if (tokenIn === route.tokenOut) return 'sells tokenOut'
  if (tokenOut === route.tokenIn) return 'buys tokenIn'
  return undefined
}

/**
 * Why the share of a leg is invalid. The last leg of a token must take everything. An earlier leg may take everything only
 * if another leg buys the token again before its next sale.
 */
function shareProblem({ share, tokenIn }: Leg, after: readonly Leg[]): string | undefined {
  const next = after.findIndex((leg) => leg.tokenIn === tokenIn)
  if (next < 0) return share === wholeShare ? undefined : 'leaves a part of its token behind'
  const isBoughtAgain = after.slice(0, next).some(({ tokenOut }) => tokenOut === tokenIn)
  const maxShare = isBoughtAgain ? wholeShare : wholeShare - 1n
  return share > 0n && share <= maxShare ? undefined : 'leaves nothing for the legs after it'
}

/** Checks `hops`: the number of legs on the longest path, counted as in the Solver. */
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
