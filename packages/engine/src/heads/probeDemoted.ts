import { type Budget, tryDemoted } from '@sluice/rpc'
import type { ChainState } from '../ChainState.js'
import { attemptPlans, newRound } from '../quotes/attemptPlans.js'
import type { PlanAsk } from '../quotes/PlanAnswer.js'

/** A demoted node that takes longer than this many times the usual delay has not recovered. */
const patience = 2

/**
 * Sends demoted nodes a copy of the questions from time to time. Nobody waits for the answers. Leaves out questions on a state
 * of the caller's, because failures of these tell nothing about the node.
 */
export function probeDemoted(
  state: ChainState,
  asks: readonly PlanAsk[],
  options: { now: () => number; mode: 'preview' | 'exact'; budget: Budget },
): void {
  const usual = asks.filter(({ overrides }) => overrides === undefined)
  if (usual.length === 0) return
  tryDemoted(state.upstreams, (upstream) =>
    attemptPlans(state, upstream, newRound(usual), {
      timeoutMs: patience * state.hedging.delayMs(options.mode),
      signal: new AbortController().signal,
      now: options.now,
      // One request, without a retry on a new connection: nobody waits for it.
      budget: options.budget.part(`copy to ${upstream.label}`, 1),
      // Other callers wait for head reads, so these use the caller's budget.
      forHeads: options.budget,
    }),
  )
}
