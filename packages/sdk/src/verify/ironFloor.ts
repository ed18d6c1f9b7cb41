import { Amounts } from '@sluice/domain'

/** What every route may lose against its quote before the Router refuses it, in basis points. */
const baseAllowanceBps = 100n
/** One basis point more for this many of price impact. */
const impactPerAllowance = 4n
const maxAllowanceBps = 1_000n

/** Least net output that the Router lets through: rounded up, at least one unit. The Router derives the same. */
export function ironFloorOf(netOut: bigint, impactBps: bigint): bigint {
  const asked = baseAllowanceBps + impactBps / impactPerAllowance
  const allowance = asked < maxAllowanceBps ? asked : maxAllowanceBps
  const kept = netOut * (Amounts.wholeBps - allowance)
  const floor = (kept + Amounts.wholeBps - 1n) / Amounts.wholeBps
  return floor === 0n ? 1n : floor
}
