import type { Hex } from 'viem'
import * as Plan from '../plan/Plan.js'
import * as PlanCall from '../plan/PlanCall.js'
import * as PlanChecks from '../plan/PlanChecks.js'
import * as Refusal from '../quote/Refusal.js'
import type { DryRun } from '../quote/Warnings.js'
import type { PreparedRequest } from '../request/PreparedRequest.js'
import type { QuoteRequest } from '../request/QuoteRequest.js'
import { BaseError } from '../values/Errors.js'

/**
 * Checks of a node's result, in this order:
 * - `strict`: the result is the canonical encoding of a Plan, to the last byte;
 * - `bound`: it has the tokens and the amount of this request, whose call was derived again;
 * - `arithmetic`: every number that follows from others was computed again, and the legs form a valid route;
 * - `witness`: it names this chain, and a block from the time of the request.
 *
 * No check can tell whether the node is honest about its state. The minimum in the calldata holds in any case.
 */
export type Check = 'strict' | 'bound' | 'arithmetic' | 'witness'

/** Maximum age of the block when the request was prepared, in seconds. */
export const defaultMaxBlockAgeSec = 300
/** Maximum time from the expiry of the request to the block, in seconds. Clocks of chains run a little fast or slow. */
export const maxBlockLeadSec = 120

/** A plan that has a route and has passed every check, and what is known of its dry run. */
export type Read = { readonly plan: Plan.Plan; readonly dryRun: DryRun }

/**
 * Reads what a node returned for the call of a request.
 *
 * @throws BadResultError
 * @throws NoQuoteError if the result is valid and has no route.
 */
export function read(request: QuoteRequest, options: read.Options): Read {
  const { maxBlockAgeSec = defaultMaxBlockAgeSec, prepared, result } = options
  const plan = decode(result)
  const problem = PlanChecks.problem(plan, PlanCall.questionOf(request))
  if (problem !== undefined) throw new BadResultError(problem.check, problem.reason)
  demandWitness(plan.witness, { maxBlockAgeSec, prepared, request })
  if (!Plan.isQuotable(plan)) {
    const { truncated, verdict } = plan
    const { amountOut } = request
    throw new NoQuoteError(
      Refusal.of(verdict as Parameters<typeof Refusal.of>[0], { amountOut, truncated }),
    )
  }
  return runOf(plan, request)
}

export declare namespace read {
  type Options = {
    /** Times between which the node was asked. */
    prepared: Times
    /** Return data of the `eth_call`, in hexadecimal. */
    result: string
    /** Maximum age of the block in seconds; `Infinity` if a chain makes blocks on demand. @default 300 */
    maxBlockAgeSec?: number | undefined
  }
}

type Times = Pick<PreparedRequest, 'preparedAt' | 'expiresAt'>

/**
 * Interprets the dry run in a plan. The Quoter borrows the input from a pool, so a failed dry run proves nothing: if the
 * request is not exact, the quote is the preview, with a warning. The numbers of a dry run include taxes of tokens, but do
 * not tell how high these are, so `taxBps` is 0.
 */
function runOf(plan: Plan.Plan, request: QuoteRequest): Read {
  const { isExact } = PlanCall.questionOf(request)
  if (!isExact) return { plan, dryRun: { kind: 'none' } }
  if (plan.verdict !== 'DryRunFailed' || request.isExact)
    return { plan, dryRun: { kind: 'done', taxBps: 0 } }
  return { plan: { ...plan, verdict: 'Executable' }, dryRun: { kind: 'missing' } }
}

function decode(result: string): Plan.Plan {
  if (!/^0x[0-9a-f]*$/.test(result))
    throw new BadResultError('strict', 'it is not lower-case hexadecimal with a 0x prefix')
  try {
    return PlanCall.decode(result as Hex)
  } catch {
    const reason = result === '0x' ? 'it is empty: the node has no Quoter at this address' : ''
    throw new BadResultError('strict', reason || 'it is not the canonical encoding of a Plan')
  }
}

type WitnessOptions = { maxBlockAgeSec: number; prepared: Times; request: QuoteRequest }

function demandWitness(witness: Plan.Witness, options: WitnessOptions): void {
  const { maxBlockAgeSec, prepared, request } = options
  if (witness.chainId !== BigInt(request.chain.chainId))
    throw new BadResultError('witness', 'it comes from another chain')
  if (witness.blockNumber === 0n) throw new BadResultError('witness', 'its block number is zero')
  const { timestamp } = witness
  const time = Number(timestamp)
  if (time < prepared.preparedAt / 1_000 - maxBlockAgeSec)
    throw new BadResultError('witness', 'its block is too old: ask a node that follows the chain')
  if (time > prepared.expiresAt / 1_000 + maxBlockLeadSec)
    throw new BadResultError('witness', "its block's time is in the future")
}

/** Thrown if a node's result fails a check. */
export class BadResultError extends BaseError {
  override readonly name = 'NodeResult.BadResultError'
  readonly check: Check
  constructor(check: Check, reason: string) {
    super(`\`result\` fails the check "${check}": ${reason}.`, { code: 'bad_result' })
    this.check = check
  }
}

/** Thrown if a valid result says that no route exists. */
export class NoQuoteError extends BaseError {
  override readonly name = 'NodeResult.NoQuoteError'
  override readonly code: Refusal.Refusal['code']
  readonly details: Refusal.Refusal['details']
  constructor({ code, details, message }: Refusal.Refusal) {
    super(message, { code })
    this.code = code
    this.details = details
  }
}
