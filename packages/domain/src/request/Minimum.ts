import * as Amounts from '../values/Amounts.js'

/** Widest slippage allowance that a quote may ask for. */
export const maxSlippageBps = 5_000

/**
 * Least net output that the calldata demands: the caller's own minimum where a slippage allowance is given, and never
 * less than the protocol's floor, which the Router enforces anyway.
 *
 * The allowance is taken off rounding up, so the odd unit stays with the user.
 *
 * @example
 * Minimum.from({ netOut: 1_000_001n, ironFloor: 990_000n, slippageBps: 50 })
 * // 995_001n
 */
export function from(parameters: from.Parameters): bigint {
  const { ironFloor, netOut, slippageBps } = parameters
  if (slippageBps === undefined) return ironFloor
  const minimum = asked(netOut, slippageBps)
  if (minimum < ironFloor) return ironFloor
  return minimum
}

/** What a slippage allowance alone asks for. */
export function asked(netOut: bigint, slippageBps: number): bigint {
  const kept = netOut * (Amounts.wholeBps - BigInt(slippageBps))
  return (kept + Amounts.wholeBps - 1n) / Amounts.wholeBps
}

export declare namespace from {
  type Parameters = {
    /** What the quote delivers after the protocol fee. */
    netOut: bigint
    ironFloor: bigint
    /** Without it the protocol's floor is the minimum. */
    slippageBps?: number | undefined
  }
}
