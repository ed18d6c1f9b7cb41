import type { Plan } from '@sluice/domain'
import type { ChainState } from './ChainState.js'
import type { Head } from './Head.js'
import { refreshHead } from './refreshHead.js'

export type Cached = { readonly head: Head; readonly plans: readonly Plan.Plan[] }

/**
 * The cached plans of all calls, if every one is there for the block that is the latest now.
 *
 * A header that was asked for a moment ago counts as the latest. An older one is asked for again first: much cheaper
 * than a quote, and done only where the cache would have the answer.
 */
export async function findCached(
  state: ChainState,
  calls: readonly string[],
  signal?: AbortSignal,
): Promise<Cached | undefined> {
  const found = lookUp(state, calls)
  if (found === undefined || isFresh(state)) return found
  await refreshHead(state, signal)
  return isFresh(state) ? lookUp(state, calls) : undefined
}

function lookUp(state: ChainState, calls: readonly string[]): Cached | undefined {
  const { cache, head } = state
  if (head === undefined) return undefined
  const plans: Plan.Plan[] = []
  for (const call of calls) {
    const plan = cache.get(head.hash, call)
    if (plan === undefined) return undefined
    plans.push(plan)
  }
  return { head, plans }
}

function isFresh(state: ChainState): boolean {
  return performance.now() - state.headAskedAt <= state.headFreshMs
}
