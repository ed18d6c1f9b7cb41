import type { Address, Hex } from 'viem'

/** One swap on one pool; `share` is in 1e-18 of what the Router then holds of `tokenIn`. */
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

/** Where and when an answer was computed. `timestamp` is in unix seconds. */
export type Witness = {
  readonly chainId: bigint
  readonly blockNumber: bigint
  readonly timestamp: bigint
  readonly parentHash: Hex
}

/** Why a plan can or cannot be executed, in the order of the contracts' enum. */
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

/** The Quoter's answer: a route with all its numbers, in base units of `route.tokenOut`. */
export type Plan = {
  readonly route: Route
  readonly verdict: Verdict
  readonly protocolFee: bigint
  readonly netOut: bigint
  readonly ironFloor: bigint
  /** No routing over the pools that were read delivers more, before the fee; `noBound` if no bound is claimed. */
  readonly upperBound: bigint
  /** How far `grossOut` may be from the optimum, in millionths of a basis point; `noBound` if no bound is claimed. */
  readonly gapMicroBps: bigint
  readonly estGas: bigint
  readonly hops: bigint
  readonly hasSurplus: boolean
  readonly truncated: boolean
  readonly poolsRead: bigint
  readonly witness: Witness
}

/** Bound and gap of a plan that claims none: the largest number of the chain. */
export const noBound = 2n ** 256n - 1n

/** Bound, and gap in basis points, as people and programs read them; `null` if no bound is claimed. */
export function boundOf({ gapMicroBps, upperBound }: Plan): {
  readonly upperBound: bigint | null
  readonly gapBps: number | null
} {
  if (upperBound === noBound) return { upperBound: null, gapBps: null }
  return { upperBound, gapBps: Number(gapMicroBps) / 1e6 }
}
