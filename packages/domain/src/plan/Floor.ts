import * as Amounts from '../values/Amounts.js'

/** Allowance of the floor in basis points: `min(maxBps, baseBps + impactBps / impactPerBps)`, from `FeeMath.sol`. */
const allowance = { baseBps: 100n, impactPerBps: 4n, maxBps: 500n } as const

/**
 * Minimum net output that the Router accepts for a route that was quoted to leave `netOut` after all fees, in base units of
 * the output, rounded up. Equals `floorOfNet` in `FeeMath.sol`.
 */
export function of(netOut: bigint, impactBps: bigint): bigint {
  const wanted = allowance.baseBps + impactBps / allowance.impactPerBps
  const allowed = wanted > allowance.maxBps ? allowance.maxBps : wanted
  const kept = netOut * (Amounts.wholeBps - allowed)
  const floor = (kept + Amounts.wholeBps - 1n) / Amounts.wholeBps
  return floor === 0n ? 1n : floor
}
