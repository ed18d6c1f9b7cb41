import { type Plan, PoolHints } from '@sluice/domain'
import type { Address, Hex } from 'viem'

/** What a call proposes to the search on chain. It only adds candidates. */
export type HintSet = {
  /** Tokens that the route may pass through besides the chain's connector tokens. */
  readonly connectors: readonly Address[]
  /** Pools that no contract lists by their pair. */
  readonly pools: readonly PoolHints.PoolHint[]
}

export const noHints: HintSet = { connectors: [], pools: [] }

export function isEmpty({ connectors, pools }: HintSet): boolean {
  return connectors.length + pools.length === 0
}

/** Tokens and pools alike. */
export function membersOf({ connectors, pools }: HintSet): readonly Hex[] {
  return [...connectors, ...pools]
}

/** The hints of a set that pass a test. */
export function filterHints({ connectors, pools }: HintSet, isIn: (hint: Hex) => boolean): HintSet {
  return { connectors: connectors.filter(isIn), pools: pools.filter(isIn) }
}

/** The members of a request, or of a question to the Quoter, that a set of hints makes. */
export function hintMembers({ connectors, pools }: HintSet) {
  return { connectors, ...(pools.length > 0 && { pools }) }
}

/** The pools that a route uses. */
export function poolsUsed(
  { legs }: Pick<Plan.Route, 'legs'>,
  pools: readonly PoolHints.PoolHint[],
): readonly PoolHints.PoolHint[] {
  return pools.filter((pool) => legs.some(({ key }) => PoolHints.isOfKey(pool, key)))
}

/**
 * What a plan with proposed hints is sure to pay, before the cost of gas. Hooks may pay less in the swap than in the quote, down to
 * the iron floor, so that a plan through a proposed pool with hooks counts as that.
 */
export function sureOut(
  { ironFloor, netOut, route }: Plan.Plan,
  pools: readonly PoolHints.PoolHint[],
): bigint {
  const hooked = route.legs.filter(({ key }) => PoolHints.isHookedKey(key))
  const hasHooks = poolsUsed({ legs: hooked }, pools).length > 0
  return hasHooks ? ironFloor : netOut
}
