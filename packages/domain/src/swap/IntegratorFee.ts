import type { Address } from 'viem'
import * as Floor from '../plan/Floor.js'
import { type InputBound, noBound, type Plan } from '../plan/Plan.js'
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

/**
 * The plan with its net output and its floor after all fees. Its upper bound is before fees and stays.
 *
 * @param amountOut The output that was asked for, after all fees, if one was.
 */
export function applied(plan: Plan, fee: IntegratorFee | undefined, amountOut?: bigint): Plan {
  if (fee === undefined) return plan
  const { inputBound, route } = plan
  const isForOutput = inputBound !== undefined && amountOut !== undefined
  return {
    ...plan,
    netOut: netOf(route.grossOut, fee),
    ironFloor: ironFloorOf(route, fee),
    ...(isForOutput && { inputBound: boundFor(inputBound, { amountOut, fee }) }),
  }
}

/**
 * Output to ask of the Quoter, which knows the protocol's fee alone: the least that leaves `amountOut` after both fees,
 * whatever more the route delivers.
 */
export function askedOutput(amountOut: bigint, fee: IntegratorFee | undefined): bigint {
  return fee === undefined ? amountOut : netOf(targetsOf(amountOut, fee).safe, undefined)
}

/**
 * The bound of the input that the Quoter claims for `askedOutput`. It claims nothing if a lower gross output leaves
 * `amountOut` too.
 */
export function boundFor(bound: InputBound, asked: { amountOut: bigint; fee: IntegratorFee }) {
  const { least, safe } = targetsOf(asked.amountOut, asked.fee)
  return least === safe ? bound : { lowerBound: noBound, gapMicroBps: noBound }
}

/**
 * The least gross output that leaves `amountOut` after both fees, and the least from which on every one does. They differ
 * where both fees gain a unit at once, so that one unit more of gross output leaves one less.
 *
 * What is left of g is `(1 - fees) * g` or up to two units more, so both are within three units of `amountOut / (1 - fees)`.
 */
function targetsOf(amountOut: bigint, fee: IntegratorFee): { least: bigint; safe: bigint } {
  const kept = Amounts.wholeBps - BigInt(Amounts.protocolFeeBps + fee.bps)
  let safe = (amountOut * Amounts.wholeBps + kept - 1n) / kept
  while (netOf(safe - 1n, fee) >= amountOut) safe -= 1n
  let least = safe
  for (let lower = safe - 1n; lower > 0n && lower >= safe - 3n; lower -= 1n)
    if (netOf(lower, fee) >= amountOut) least = lower
  return { least, safe }
}
