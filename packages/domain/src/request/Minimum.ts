import * as Amounts from '../values/Amounts.js'

/** Maximum of `slippageBps`, in basis points. */
export const maxSlippageBps = 5_000

/**
 * Minimum net output in the calldata, in base units: the protocol's floor, or the requested output or the minimum that
 * follows from `slippageBps` if that is higher. The Router enforces the floor in any case.
 *
 * Rounds up, in favor of the user.
 *
 * @example
 * Minimum.from({ netOut: 1_000_001n, ironFloor: 990_000n, slippageBps: 50 })
 * // 995_001n
 */
export function from(parameters: from.Parameters): bigint {
  const { amountOut, ironFloor, netOut, slippageBps } = parameters
  if (amountOut === undefined && slippageBps === undefined) return ironFloor
  const minimum = amountOut ?? asked(netOut, slippageBps!)
  if (minimum < ironFloor) return ironFloor
  return minimum
}

/** Minimum net output that follows from `slippageBps` alone, in base units, rounded up. */
export function asked(netOut: bigint, slippageBps: number): bigint {
  const kept = netOut * (Amounts.wholeBps - BigInt(slippageBps))
  return (kept + Amounts.wholeBps - 1n) / Amounts.wholeBps
}

export declare namespace from {
  type Parameters = {
    /** Quoted output after the protocol fee, in base units. */
    netOut: bigint
    ironFloor: bigint
    /** Net output that was asked for in place of an input. The slippage pads the input then. */
    amountOut?: bigint | undefined
    /** Slippage tolerance in basis points. @default the floor is the minimum */
    slippageBps?: number | undefined
  }
}
