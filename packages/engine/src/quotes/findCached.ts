import { type ChainState, hasFreshHead } from '../ChainState.js'
import type { Head } from '../heads/Head.js'
import { type refreshHeads, refreshHeadsBy } from '../heads/refreshHeads.js'
import type { KeptPlan } from './PlanCache.js'

export type Cached = { readonly head: Head; readonly plans: readonly KeptPlan[] }

/**
 * Returns the cached plans of all calls on the latest block, or `undefined` if one is missing.
 *
 * If the head is not fresh, reads it first. That is much cheaper than a quote, and only done if the cache has every
 * plan.
 */
export async function findCached(
  state: ChainState,
  calls: readonly string[],
  options: refreshHeads.Options & { endsAt: number },
): Promise<Cached | undefined> {
  const asOf = performance.now()
  const found = lookUp(state, calls)
  if (found === undefined || hasFreshHead(state, asOf)) return found
  await refreshHeadsBy(state, { ...options, asOf })
  options.signal?.throwIfAborted()
  return hasFreshHead(state, asOf) ? lookUp(state, calls) : undefined
}

function lookUp(state: ChainState, calls: readonly string[]): Cached | undefined {
  const { cache, head } = state
  if (head === undefined) return undefined
  const plans: KeptPlan[] = []
  for (const call of calls) {
    const plan = cache.get(head.hash, call)
    if (plan === undefined) return undefined
    plans.push(plan)
  }
  return { head, plans }
}
