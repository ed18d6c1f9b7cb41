import type { Hex } from 'viem'
import type * as Plan from '../plan/Plan.js'
import * as PlanCall from '../plan/PlanCall.js'
import * as PlanChecks from '../plan/PlanChecks.js'
import * as Quote from '../quote/Quote.js'
import * as Refusal from '../quote/Refusal.js'
import type { DryRun } from '../quote/Warnings.js'
import type { Registry } from '../registry/Registry.js'
import * as PreparedRequest from '../request/PreparedRequest.js'
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
/** The checks that a decoded response has passed. */
export type Integrity = { readonly [check in Check]: true }

/** Maximum age of the block when the request was prepared, in seconds. */
export const defaultMaxBlockAgeSec = 300
/** Maximum time from the expiry of the request to the block, in seconds. Clocks of chains run a little fast or slow. */
export const maxBlockLeadSec = 120

/**
 * Turns a node's result for a prepared request into a quote. Builds the calldata itself, and makes no call.
 *
 * @throws PreparedRequest.NotPreparedError, BadResultError
 * @throws NoQuoteError if the result is valid and has no route.
 */
export function from(registry: Registry, parameters: from.Parameters): DecodedQuote {
  const { hash, maxBlockAgeSec = defaultMaxBlockAgeSec, now, prepared, result } = parameters
  const request = PreparedRequest.open(registry, prepared, { now, hash })
  const plan = decode(result)
  const problem = PlanChecks.problem(plan, PlanCall.questionOf(request))
  if (problem !== undefined) throw new BadResultError(problem.check, problem.reason)
  demandWitness(plan.witness, { maxBlockAgeSec, prepared, request })
  if (!Quote.isQuotable(plan))
    throw new NoQuoteError(Refusal.of(plan.verdict as Parameters<typeof Refusal.of>[0], request))
  const run = runOf(plan, request)
  const quote = Quote.from(request, run.plan, { ...run, now: BigInt(Math.floor(now / 1_000)) })
  return { quote, integrity: { bound: true, strict: true, arithmetic: true, witness: true } }
}

/**
 * Interprets the dry run in a plan. The Quoter borrows the input from a pool, so a failed dry run proves nothing: if the
 * request is not exact, the quote is the preview, with a warning. The numbers of a dry run include taxes of tokens, but do
 * not tell how high these are, so `taxBps` is 0.
 */
function runOf(plan: Plan.Plan, request: QuoteRequest): { plan: Plan.Plan; dryRun: DryRun } {
  const { isExact } = PlanCall.questionOf(request)
  if (!isExact) return { plan, dryRun: { kind: 'none' } }
  if (plan.verdict !== 'DryRunFailed' || request.isExact)
    return { plan, dryRun: { kind: 'done', taxBps: 0 } }
  return { plan: { ...plan, verdict: 'Executable' }, dryRun: { kind: 'missing' } }
}

/** A quote decoded from a node's response, with the checks that it has passed. */
export type DecodedQuote = { readonly quote: Quote.Quote; readonly integrity: Integrity }

export declare namespace from {
  type Parameters = {
    prepared: PreparedRequest.PreparedRequest
    /** Return data of the `eth_call`, in hexadecimal. */
    result: string
    /** Unix milliseconds. */
    now: number
    /** Maximum age of the block in seconds; `Infinity` if a chain makes blocks on demand. @default 300 */
    maxBlockAgeSec?: number | undefined
    hash?: PreparedRequest.Hash | undefined
  }
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

type WitnessOptions = {
  maxBlockAgeSec: number
  prepared: PreparedRequest.PreparedRequest
  request: QuoteRequest
}

/** Thrown if a node's result fails a check. */
export class BadResultError extends BaseError {
  override readonly name = 'DecodedQuote.BadResultError'
  readonly check: Check
  constructor(check: Check, reason: string) {
    super(`\`result\` fails the check "${check}": ${reason}.`, { code: 'bad_result' })
    this.check = check
  }
}

/** Thrown if a valid result says that no route exists. */
export class NoQuoteError extends BaseError {
  override readonly name = 'DecodedQuote.NoQuoteError'
  override readonly code: Refusal.Refusal['code']
  readonly details: Refusal.Refusal['details']
  constructor({ code, details, message }: Refusal.Refusal) {
    super(message, { code })
    this.code = code
    this.details = details
  }
}
