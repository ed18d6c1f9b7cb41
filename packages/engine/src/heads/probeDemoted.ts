import type { ChainState } from '../ChainState.js'
import { attemptPlans, newRound } from '../quotes/attemptPlans.js'
import type { PlanAsk } from '../quotes/PlanAnswer.js'
import type { Budget } from '../rpc/Budget.js'
import { isNodesFault } from '../rpc/failures.js'
import type { Mode } from '../rpc/Hedging.js'
import { rankUpstreams } from '../rpc/rankUpstreams.js'
import * as Standing from '../rpc/Standing.js'

/** A node that needs longer than this many times what is usual has not recovered. */
const patience = 2

/**
 * Now and then sends the nodes that were demoted a copy of a request, whose answer nobody waits for: so a node that has
 * recovered is seen to, and no caller pays for one that has not.
 */
export function probeDemoted(
  state: ChainState,
  asks: readonly PlanAsk[],
  options: { now: () => number; mode: Mode; budget: Budget },
): void {
  const ranked = rankUpstreams(state.upstreams, performance.now())
  // Where all are demoted, requests go to them anyway.
  if (ranked[0] === undefined || Standing.isDemoted(ranked[0].standing)) return
  for (const upstream of ranked) {
    const { standing } = upstream
    if (!Standing.takesProbe(standing, performance.now())) continue
    attemptPlans(state, upstream, newRound(asks), {
      timeoutMs: patience * state.hedging.delayMs(options.mode),
      signal: new AbortController().signal,
      now: options.now,
      // Not even on another connection: nobody waits for it.
      budget: options.budget.part(`copy to ${upstream.label}`, 1),
      // Others wait for what is read of heads.
      forHeads: options.budget,
    }).then((failure) => {
      // A stop without a second opinion speaks neither for the node nor against it.
      if (failure === undefined) Standing.succeed(standing, performance.now())
      else if (isNodesFault(failure)) Standing.fail(standing, performance.now())
    })
  }
}
