import type { Address } from 'viem'
import * as Floor from '../plan/Floor.js'
import type { Plan } from '../plan/Plan.js'
import * as Amounts from '../values/Amounts.js'

/** Part of a swap's output that an integrator takes, beside the protocol's fee. The Router of 2.0.0 pays it. */
export type IntegratorFee = {
  readonly integrator: Address
  /** Basis points of the gross output. */
  readonly bps: number
}

/** Minimum and maximum of the fee, in basis points. The Router enforces both. */
export const bpsRange = { min: 1, max: 100 } as const

/** The fee on `grossOut`, in the same base units, rounded down in favor of the user. */
export function of(grossOut: bigint, fee: IntegratorFee | undefined): bigint {
  return fee === undefined ? 0n : (grossOut * BigInt(fee.bps)) / Amounts.wholeBps
}

/** What all fees leave of `grossOut`. Equals `netOf` in `FeeMath.sol`. */
export function netOf(grossOut: bigint, fee: IntegratorFee | undefined): bigint {
  return grossOut - Amounts.protocolFeeOf(grossOut) - of(grossOut, fee)
}

/** Minimum net output that the Router accepts for a route quoted with these numbers and this fee. */
export function ironFloorOf(
  { grossOut, impactBps }: Pick<Plan['route'], 'grossOut' | 'impactBps'>,
  fee: IntegratorFee | undefined,
): bigint {
  return Floor.of(netOf(grossOut, fee), impactBps)
}

/** The plan with its net output and its floor after all fees. Its bound is before fees and stays. */
export function applied(plan: Plan, fee: IntegratorFee | undefined): Plan {
  if (fee === undefined) return plan
  const { route } = plan
  return { ...plan, netOut: netOf(route.grossOut, fee), ironFloor: ironFloorOf(route, fee) }
}

/**
 * Output to ask of the Quoter, which knows the protocol's fee alone, so that at least `amountOut` is left after both fees:
 * the smallest one that needs a gross output of `amountOut / (1 - fees)`, where no rounding can take the last unit.
 */
export function askedOutput(amountOut: bigint, fee: IntegratorFee | undefined): bigint {
  if (fee === undefined) return amountOut
  const kept = Amounts.wholeBps - BigInt(Amounts.protocolFeeBps + fee.bps)
  const grossOut = (amountOut * Amounts.wholeBps + kept - 1n) / kept
  return netOf(grossOut - 1n, undefined) + 1n
}
