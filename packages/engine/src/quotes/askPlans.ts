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

/** Nodes that are asked for one answer. */
const maxAttempts = 3

/**
 * Asks a chain's nodes until every question is answered or the budget is used up.
 *
 * One request carries the latest header and all calls, so a fresh answer costs one round trip. The witness in each plan
 * says which block it was computed on; a plan of any other block than the one that counts is thrown away. With one node
 * that is its latest (or that one's child); with several it is the head that two of them know, which is read beside the
 * calls if it is not known yet. Once a block is proven, later requests ask for that block, so all plans of one
 * answer are of one block.
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
      // The chain may have moved between two reads, or the node may be wrong: others first.
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

/** The chain is called stale if nothing else was the matter with any of the nodes that were asked. */
function reasonOf(last: Failure, all: ReadonlySet<Failure>): Failure {
  if (last !== 'stale') return last
  return [...all].find((each) => each !== 'stale') ?? last
}

export declare namespace askPlans {
  type Options = {
    /** Milliseconds for all attempts together. */
    budgetMs: number
    /** Unix milliseconds. */
    now: () => number
    /** Kind of request, by which its time is judged. @default that of the questions */
    mode?: 'preview' | 'exact' | undefined
    /** Block to ask for if it is known already. */
    pin?: Block | undefined
    /** What is sent is taken from it. @default one of its own */
    budget?: Budget | undefined
    /** Hosts that are not asked. */
    avoid?: ReadonlySet<string> | undefined
    signal?: AbortSignal | undefined
    onFailure?: ((report: FailureReport) => void) | undefined
    onAttempt?: ((report: AttemptReport) => void) | undefined
    /** A second node is asked because the first is slower than usual. */
    onHedge?: ((report: { upstream: string }) => void) | undefined
  }
}
