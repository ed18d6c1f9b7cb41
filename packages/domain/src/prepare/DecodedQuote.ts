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
 * What was checked, in this order:
 * - `strict`: the answer is the one canonical encoding of a Plan, to the last byte;
 * - `bound`: it answers the tokens and the amount of this request, whose call was derived again;
 * - `arithmetic`: every number that follows from others was computed again, and the legs hang together;
 * - `witness`: it speaks of this chain and of a block of the time when it was asked.
 *
 * Whether the node is honest about its state no check can tell; the calldata's minimum holds whatever it said.
 */
export type Check = 'strict' | 'bound' | 'arithmetic' | 'witness'
/** The checks that a decoded response has passed. */
export type Integrity = { readonly [check in Check]: true }

/** Seconds before the preparation in which the answering block may lie. */
export const defaultMaxBlockAgeSec = 300
/** Seconds by which the answering block may be dated after the request's end; chains' clocks run a little off. */
export const maxBlockLeadSec = 120

/**
 * Turns the node's answer to a prepared request into a quote with calldata of our own. Pure: no call is made.
 *
 * @throws PreparedRequest.NotPreparedError, BadResultError
 * @throws NoQuoteError if the answer is sound, and says that there is nothing to quote.
 */
export function from(registry: Registry, parameters: from.Parameters): DecodedQuote {
  const { hash, maxBlockAgeSec = defaultMaxBlockAgeSec, now, prepared, result } = parameters
  const request = PreparedRequest.open(registry, prepared, { now, hash })
  const plan = decode(result)
  const problem = PlanChecks.problem(plan, PlanCall.questionOf(request))
  if (problem !== undefined) throw new BadResultError(problem.check, problem.reason)
  demandWitness(plan.witness, { maxBlockAgeSec, prepared, request })
  if (!Quote.isQuotable(plan))
    throw new NoQuoteError(Refusal.of(plan.verdict as Parameters<typeof Refusal.of>[0]))
  const run = runOf(plan, request)
  const quote = Quote.from(request, run.plan, { ...run, now: BigInt(Math.floor(now / 1_000)) })
  return { quote, integrity: { bound: true, strict: true, arithmetic: true, witness: true } }
}

/**
 * What the run of the swap says. A node has no tokens to run it with but what a pool lends, so a run that failed says
 * nothing for sure; whoever did not ask for it gets the preview, with a warning. What a token keeps back is counted in
 * the numbers, and how much it is cannot be told from them.
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
    /** What the node returned for the `eth_call`. */
    result: string
    /** Unix milliseconds. */
    now: number
    /** `Infinity` if a chain makes blocks on demand. @default 300 */
    maxBlockAgeSec?: number | undefined
    hash?: PreparedRequest.Hash | undefined
  }
}

function decode(result: string): Plan.Plan {
  if (!/^0x[0-9a-f]*$/.test(result))
    throw new BadResultError('strict', 'it is not lower-case hexadecimal with 0x in front')
  try {
    return PlanCall.decode(result as Hex)
  } catch {
    const reason = result === '0x' ? 'it is empty: the node knows no Quoter at this address' : ''
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

/** Thrown when an answer fails a check. */
export class BadResultError extends BaseError {
  override readonly name = 'DecodedQuote.BadResultError'
  readonly check: Check
  constructor(check: Check, reason: string) {
    super(`\`result\` fails the check "${check}": ${reason}.`, { code: 'bad_result' })
    this.check = check
  }
}

/** Thrown when the chain's sound answer is that there is nothing to quote. */
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
