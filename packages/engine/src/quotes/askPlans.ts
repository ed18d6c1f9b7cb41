import type { Plan, PlanCall, Warnings } from '@sluice/domain'
import type { Address, Hex } from 'viem'
import { type ChainState, lacksCancun } from '../ChainState.js'
import type { Block } from '../heads/Head.js'
import { probeDemoted } from '../heads/probeDemoted.js'
import type { DryRunFunds } from '../holdings/fundDryRuns.js'
import { type Budget, createBudget, mostRequests } from '../rpc/Budget.js'
import { type Failure, isAnswer } from '../rpc/failures.js'
import { race } from '../rpc/race.js'
import { rankUpstreams } from '../rpc/rankUpstreams.js'
import { attemptPlans, newRound } from './attemptPlans.js'

/** One question to the Quoter of a generation, with its calldata. */
export type PlanAsk = {
  readonly question: PlanCall.PlanQuestion
  readonly quoter: Address
  readonly data: Hex
  /** It is tried beside others: no node is at fault, and none is asked again, where it has no answer. */
  readonly isTrial?: true | undefined
  /** Given along where the node takes overrides. */
  readonly override?: DryRunFunds | undefined
}

/** The chain's answer to one question. */
export type PlanAnswer =
  | {
      readonly kind: 'plan'
      readonly plan: Plan.Plan
      /** As the node gave it; absent where it comes from the cache. */
      readonly data?: Hex
      /** What the call gave along: the input of a dry run, whose failure is then the trade's own. */
      readonly override?: DryRunFunds | undefined
      /** What the call was given, if the node takes less than it is asked with. */
      readonly gas?: bigint
      readonly dryRun?: Warnings.DryRun
      readonly instead?: PlanAnswer
    }
  /** The dry run failed on the live pools: the swap would revert. */
  | { readonly kind: 'refused'; readonly refused: RefusedSide; readonly plan: Plan.Plan }
  /** The EVM gave no answer: no witness, so nothing is known about routes. */
  | {
      readonly kind: 'stopped'
      readonly how: 'revert' | 'halt'
      readonly error?: string | undefined
      readonly instead?: PlanAnswer
      /** Two hosts said so. */
      readonly isConfirmed?: true
    }
  /** No node gave a valid answer; the last reason. `instead` holds for whoever did not ask for a dry run. */
  | { readonly kind: 'failed'; readonly failure: Failure; readonly instead?: PlanAnswer }

/** The token that refuses transfers; `undefined` if both allow them and something else fails. */
export type RefusedSide = 'in' | 'out' | undefined

export type PlanAnswers = {
  /** In the order of the questions; the plans among them are all of `block`. */
  readonly answers: readonly PlanAnswer[]
  /** The same, for whoever wanted them of two hosts; failed where a second host did not give the same. */
  readonly verified?: readonly PlanAnswer[]
  readonly block: Block | undefined
  readonly rpcTried: number
  /** Hosts whose answers these are. */
  readonly hosts: ReadonlySet<string>
}

export type FailureReport = { upstream: string; failure: Failure }

/** How one request to a node ended; without a failure it settled the matter. */
export type AttemptReport = { upstream: string; tookMs: number; failure?: Failure | undefined }

/** Nodes that are asked for one answer. */
const maxAttempts = 3

/**
 * Asks a chain's nodes until every question is answered or the budget is used up.
 *
 * One request carries the latest header and all calls, so a fresh answer costs one round trip. The witness in each plan
 * says which block it was computed on; a plan of any other block than the one that counts is thrown away. With one node
 * that is its latest (or that one's child); with several it is the head that two of them know, which is read beside the
 * calls where it is not known yet. Once a block is proven, later requests ask for that block, so all plans of one
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
  const { budget = createBudget({ requests: mostRequests.quote }) } = options
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

/** The chain is called stale where nothing else was the matter with any of the nodes that were asked. */
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
    /** Block to ask for, where it is known already. */
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
