import type { Address, Hex } from 'viem'

/** One swap on one pool. `share` is the part of the Router's `tokenIn` at that point, scaled by 1e18. */
export type Leg = {
  readonly venue: number
  readonly pool: Address
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly key: bigint
  readonly share: bigint
}

/** The Router's route struct. */
export type Route = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
  readonly grossOut: bigint
  readonly impactBps: bigint
  readonly legs: readonly Leg[]
}

/** Chain and block on which a plan was computed. `timestamp` is in unix seconds. */
export type Witness = {
  readonly chainId: bigint
  readonly blockNumber: bigint
  readonly timestamp: bigint
  readonly parentHash: Hex
}

/** Whether a plan can be executed, and why not, in the order of the contracts' enum. */
export const verdicts = [
  'Executable',
  'NoRoute',
  'TokenInNotContract',
  'TokenOutNotContract',
  'NothingOut',
  'DryRunFailed',
  'BelowFloor',
] as const
export type Verdict = (typeof verdicts)[number]

/** Result of the Quoter: a route with all its numbers, in base units of `route.tokenOut`. */
export type Plan = {
  readonly route: Route
  readonly verdict: Verdict
  readonly protocolFee: bigint
  readonly netOut: bigint
  readonly ironFloor: bigint
  /** Upper bound on the gross output of any routing over the pools that were read; `noBound` if no bound is claimed. */
  readonly upperBound: bigint
  /** Maximum distance of `grossOut` from the optimum, in millionths of a basis point; `noBound` if no bound is claimed. */
  readonly gapMicroBps: bigint
  readonly estGas: bigint
  readonly hops: bigint
  readonly hasSurplus: boolean
  readonly truncated: boolean
  readonly poolsRead: bigint
  readonly witness: Witness
  /** Set if the plan was computed for an output. */
  readonly inputBound?: InputBound | undefined
}

/** Proof of how little input a plan's output needs. */
export type InputBound = {
  /** Lower bound on the input of any routing that delivers the requested output; `noBound` if no bound is claimed. */
  readonly lowerBound: bigint
  /** `amountIn / lowerBound - 1` in millionths of a basis point, rounded up; `noBound` if no bound is claimed. */
  readonly gapMicroBps: bigint
}

/** Value of `upperBound` and `gapMicroBps` if no bound is claimed: the maximum uint256. */
export const noBound = 2n ** 256n - 1n

/** Lower bound in base units of the input, and gap in basis points; both `null` if no bound is claimed. */
export function inputBoundOf({ gapMicroBps, lowerBound }: InputBound): {
  readonly lowerBound: bigint | null
  readonly gapBps: number | null
} {
  if (lowerBound === noBound) return { lowerBound: null, gapBps: null }
  return { lowerBound, gapBps: Number(gapMicroBps) / 1e6 }
}

/** Bound in base units, and gap in basis points; both `null` if no bound is claimed. */
export function boundOf({ gapMicroBps, upperBound }: Plan): {
  readonly upperBound: bigint | null
  readonly gapBps: number | null
} {
  if (upperBound === noBound) return { upperBound: null, gapBps: null }
  return { upperBound, gapBps: Number(gapMicroBps) / 1e6 }
}

/** Verdicts of plans that have a route, whether it can be executed or not. */
export type QuotableVerdict = 'Executable' | 'DryRunFailed' | 'BelowFloor'

/** Whether a plan has a route. */
export function isQuotable(plan: Plan): plan is Plan & { verdict: QuotableVerdict } {
  return ['Executable', 'DryRunFailed', 'BelowFloor'].includes(plan.verdict)
}
