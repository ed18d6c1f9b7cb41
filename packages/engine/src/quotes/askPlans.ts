import { type Budget, createBudget, type Failure, isAnswer, race, rankUpstreams } from '@sluice/rpc'
import { type ChainState, lacksCancun } from '../ChainState.js'
import type { Block } from '../heads/Head.js'
import { probeDemoted } from '../heads/probeDemoted.js'
import { maxRequests } from '../support/maxRequests.js'
import { attemptPlans, newRound } from './attemptPlans.js'
import type {
  AttemptReport,
  FailureReport,
  PlanAnswer,
  PlanAnswers,
  PlanAsk,
} from './PlanAnswer.js'

/** Maximum number of nodes asked for one answer. */
const maxAttempts = 3

/**
 * Asks a chain's nodes until every call is answered or the time is over.
 *
 * One request carries the latest header and all calls, so a fresh answer costs one round trip. The witness in each plan
 * proves its block; plans of any other block than the expected one are discarded. With one node, the expected block is
 * its latest or that block's child. With several, it is the head that two of them know, which is read in parallel if it
 * is not known yet. Once a block is proven, later requests name it, so that all plans of one answer are on one block.
 */
export async function askPlans(
  state: ChainState,
  asks: readonly PlanAsk[],
  options: askPlans.Options,
): Promise<PlanAnswers> {
  const { avoid, budgetMs, now, onFailure, signal } = options
  const startedAt = performance.now()
  const round = newRound(asks, options.pin)
  const { budget = createBudget({ requests: maxRequests.quote }) } = options
  const ranked = rankUpstreams(state.upstreams, startedAt, budget.slow).filter(
    ({ host }) => !avoid?.has(host),
  )
  const isExact = asks.some(({ question }) => question.isExact)
  const { mode = isExact ? 'exact' : 'preview' } = options
  probeDemoted(state, asks, { now, mode, budget })
  const failed = new Set<Failure>()
  const { failure: last = 'connect', tried } = await race({
    upstreams: ranked.slice(0, maxAttempts),
    endsAt: startedAt + budgetMs,
    maxAttempts,
    mode,
    hedging: state.hedging,
    slow: budget.slow,
    signal,
    attempt: (upstream, attemptOptions) =>
      attemptPlans(state, upstream, round, { ...attemptOptions, now, budget }),
    asksAgain(reason) {
      if (reason === 'moved') return 'next'
      // The chain may have moved between two reads, or the node may be wrong. Ask other nodes first.
      const mayHaveMoved =
        reason === 'wrong_block' || (reason === 'not_ready' && round.without.size > 0)
      return mayHaveMoved ? 'last' : undefined
    },
    onFailure({ label }, failure) {
      failed.add(failure)
      if (!isAnswer(failure)) onFailure?.({ upstream: label, failure })
    },
    onAttempt: ({ label }, tookMs, failure) =>
      options.onAttempt?.({ upstream: label, tookMs, failure }),
    onHedge: ({ label }) => options.onHedge?.({ upstream: label }),
  })
  const failure = reasonOf(last, failed)
  const lacks = lacksCancun(state)
  return {
    answers: round.answers.map((answer, index): PlanAnswer => {
      if (answer?.kind === 'stopped' && lacks) return { kind: 'failed', failure: 'no_cancun' }
      const isOpen = answer === undefined || round.unconfirmed.has(index)
      return isOpen ? { kind: 'failed', failure } : answer
    }),
    block: round.isProven ? round.pin : undefined,
    rpcTried: tried,
    hosts: round.hosts,
  }
}

/** Returns `stale` only if no node failed for another reason. */
function reasonOf(last: Failure, all: ReadonlySet<Failure>): Failure {
  if (last !== 'stale') return last
  return [...all].find((each) => each !== 'stale') ?? last
}

export declare namespace askPlans {
  type Options = {
    /** Time limit for all attempts together, in milliseconds. */
    budgetMs: number
    /** Unix milliseconds. */
    now: () => number
    /** Kind of request, which decides what counts as slow. @default that of the calls */
    mode?: 'preview' | 'exact' | undefined
    /** Block to ask for, if already known. */
    pin?: Block | undefined
    /** Node requests are charged to this budget. @default a budget of its own */
    budget?: Budget | undefined
    /** Hosts not to ask. */
    avoid?: ReadonlySet<string> | undefined
    signal?: AbortSignal | undefined
    onFailure?: ((report: FailureReport) => void) | undefined
    onAttempt?: ((report: AttemptReport) => void) | undefined
    /** Called when a second node is asked because the first is slower than usual. */
    onHedge?: ((report: { upstream: string }) => void) | undefined
  }
}
