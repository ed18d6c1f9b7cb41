import type { Plan, PlanCall, Warnings } from '@sluice/domain'
import type { Failure } from '@sluice/rpc'
import type { Address, Hex } from 'viem'
import type { Block } from '../heads/Head.js'
import type { DryRunFunds } from '../holdings/DryRunFunds.js'

/** One question to the Quoter of a generation, with its calldata. */
export type PlanAsk = {
  readonly question: PlanCall.PlanQuestion
  readonly quoter: Address
  readonly data: Hex
  /** It is tried beside others: no node is at fault, and none is asked again if it has no answer. */
  readonly isTrial?: true | undefined
  /** Given along if the node takes overrides. */
  readonly override?: DryRunFunds | undefined
}

/** The chain's answer to one question. */
export type PlanAnswer =
  | {
      readonly kind: 'plan'
      readonly plan: Plan.Plan
      /** As the node gave it; absent if it comes from the cache. */
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
  /** The same, for whoever wanted them of two hosts; failed if a second host did not give the same. */
  readonly verified?: readonly PlanAnswer[]
  readonly block: Block | undefined
  readonly rpcTried: number
  /** Hosts whose answers these are. */
  readonly hosts: ReadonlySet<string>
}

/** A request to a node that failed. */
export type FailureReport = { upstream: string; failure: Failure }

/** How one request to a node ended; without a failure it settled the matter. */
export type AttemptReport = { upstream: string; tookMs: number; failure?: Failure | undefined }
