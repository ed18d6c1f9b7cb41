import type { Overrides, Plan, PlanCall, Warnings } from '@sluice/domain'
import type { Failure } from '@sluice/rpc'
import type { Address, Hex } from 'viem'
import type { Block } from '../heads/Head.js'
import type { DryRunFunds } from '../holdings/DryRunFunds.js'

/** One call to a Quoter, with its calldata. */
export type PlanAsk = {
  readonly question: PlanCall.PlanQuestion
  readonly quoter: Address
  readonly data: Hex
  /** An optional attempt beside other calls. If it has no answer, no node is blamed and no other node is asked. */
  readonly isTrial?: true | undefined
  /** State that the caller asks for. An answer on another state is none. */
  readonly overrides?: Overrides.Overrides | undefined
  /** State override that gives a dry run its input, if the node takes overrides. */
  readonly override?: DryRunFunds | undefined
}

/** The chain's answer to one call. */
export type PlanAnswer =
  | {
      readonly kind: 'plan'
      readonly plan: Plan.Plan
      /** Raw return data; absent if the plan comes from the cache. */
      readonly data?: Hex
      /**
       * The state override of the call, which gives a dry run its input. If such a run fails, the trade itself fails.
       */
      readonly override?: DryRunFunds | undefined
      /** Gas limit of the call, if the node's gas cap lowered it. */
      readonly gas?: bigint
      readonly dryRun?: Warnings.DryRun
      readonly instead?: PlanAnswer
    }
  /** The dry run failed on the live pools: the swap would revert. */
  | { readonly kind: 'refused'; readonly refused: RefusedSide; readonly plan: Plan.Plan }
  /** The call reverted or halted. There is no witness, so nothing is known about routes. */
  | {
      readonly kind: 'stopped'
      readonly how: 'revert' | 'halt'
      readonly error?: string | undefined
      readonly instead?: PlanAnswer
      /** A second host confirmed it. */
      readonly isConfirmed?: true
    }
  /**
   * No node gave a valid answer; `failure` is the last reason. `instead` is the answer for callers who did not require
   * a dry run.
   */
  | { readonly kind: 'failed'; readonly failure: Failure; readonly instead?: PlanAnswer }

/** Side of the token that refuses transfers; `undefined` if both tokens can be transferred and something else fails. */
export type RefusedSide = 'in' | 'out' | undefined

export type PlanAnswers = {
  /** Answers in the order of the calls. All plans are on `block`. */
  readonly answers: readonly PlanAnswer[]
  /** Answers for callers with `verify: 2`: failed unless a second host gave the same answer. */
  readonly verified?: readonly PlanAnswer[]
  readonly block: Block | undefined
  readonly rpcTried: number
  /** Hosts that gave these answers. */
  readonly hosts: ReadonlySet<string>
}

/** A failed request to a node. */
export type FailureReport = { upstream: string; failure: Failure }

/** Result of one request to a node. Without a failure, it answered everything. */
export type AttemptReport = { upstream: string; tookMs: number; failure?: Failure | undefined }
