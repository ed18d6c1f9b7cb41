import { type Budget, tryDemoted } from '@sluice/rpc'
import type { ChainState } from '../ChainState.js'
import { attemptPlans, newRound } from '../quotes/attemptPlans.js'
import type { PlanAsk } from '../quotes/PlanAnswer.js'

/** A node that needs longer than this many times what is usual has not recovered. */
const patience = 2

/** Now and then sends the nodes that were demoted a copy of the questions, whose answers nobody waits for. */
export function probeDemoted(
  state: ChainState,
  asks: readonly PlanAsk[],
  options: { now: () => number; mode: 'preview' | 'exact'; budget: Budget },
): void {
  tryDemoted(state.upstreams, (upstream) =>
    attemptPlans(state, upstream, newRound(asks), {
      timeoutMs: patience * state.hedging.delayMs(options.mode),
      signal: new AbortController().signal,
      now: options.now,
      // Not even on another connection: nobody waits for it.
      budget: options.budget.part(`copy to ${upstream.label}`, 1),
      // Others wait for what is read of heads.
      forHeads: options.budget,
    }),
  )
}
