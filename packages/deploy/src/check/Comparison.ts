import type { Address, Hex } from 'viem'

/** A swap on one pool: what Sluice computes, and what the pool did in a call. */
export type Attempted = {
  /** Id of the venue in the config. */
  readonly venue: string
  readonly pool: Address
  readonly key: bigint
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
  /** `PoolWords` of the contracts. */
  readonly words: readonly bigint[]
  readonly expectedOut: bigint
  /** Estimated gas of a swap over this pool alone. */
  readonly expectedGas: bigint
  readonly amountOut: bigint
  /** Gas of the Router's call and of sending it. */
  readonly gas: bigint
  readonly verdict: Verdict
  /** What a failed swap reverted with. */
  readonly failure: Hex
}

/**
 * - `same`: both to the wei;
 * - `differs`: the pool pays another amount;
 * - `refused`: Sluice quotes, and the swap fails;
 * - `unquoted`: Sluice does not quote the amount, for example because the pool cannot take all of it.
 */
export type Verdict = 'same' | 'differs' | 'refused' | 'unquoted'

/** What was left out of a comparison. */
export type Skipped = {
  readonly venue: string
  readonly pool: Address
  readonly why: string
}

/** Judges one attempt. */
export function verdictOf(attempt: {
  readonly priced: boolean
  readonly swapped: boolean
  readonly expectedOut: bigint
  readonly amountOut: bigint
}): Verdict {
  if (!attempt.priced || attempt.expectedOut === 0n) return 'unquoted'
  if (!attempt.swapped) return 'refused'
  return attempt.expectedOut === attempt.amountOut ? 'same' : 'differs'
}

/** By how many basis points the pool pays less than computed; negative if it pays more. */
export function errorBps({
  amountOut,
  expectedOut,
}: Pick<Attempted, 'amountOut' | 'expectedOut'>): number {
  if (expectedOut === 0n) return 0
  return Number(((expectedOut - amountOut) * 100_000_000n) / expectedOut) / 10_000
}
