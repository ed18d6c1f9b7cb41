import { Plan, Quote, type QuoteRequest, Refusal } from '@sluice/domain'
import type { Failure } from '@sluice/rpc'
import type { Block } from '../heads/Head.js'
import type { PlanAnswer } from './PlanAnswer.js'
import { QuoteError } from './QuoteError.js'

/**
 * Turns the chain's answer into a quote for one caller's request.
 *
 * @param options.now Unix milliseconds.
 * @throws QuoteError if there is no quote.
 */
export function readAnswer(
  request: QuoteRequest.QuoteRequest,
  answer: PlanAnswer,
  options: { now: number; rpcTried: number; block?: Block | undefined },
): Quote.Quote {
  const { block, now, rpcTried } = options
  const asked = block && { request, block }
  if (answer.kind === 'failed') throw nodesFailed(request.chain.name, answer.failure, rpcTried)
  if (answer.kind === 'stopped')
    throw new QuoteError('no_route', stoppedMessage(answer), { rpcTried, asked })
  if (answer.kind === 'refused')
    throw refused(Refusal.ofRun(answer.refused), { rpcTried, asked, route: answer.plan.route })
  const { dryRun, plan } = answer
  if (!Plan.isQuotable(plan)) {
    const verdict = plan.verdict as Exclude<Plan.Verdict, Plan.QuotableVerdict>
    const { amountOut } = request
    const refusal = Refusal.of(verdict, { amountOut, truncated: plan.truncated })
    throw refused(refusal, { rpcTried, asked })
  }
  return Quote.from(request, plan, { dryRun, now: BigInt(Math.floor(now / 1_000)) })
}

function refused(refusal: Refusal.Refusal, options: QuoteError.Options): QuoteError {
  const { code, details, message } = refusal
  return new QuoteError(code, message, { ...options, details })
}

function nodesFailed(chain: string, failure: Failure, rpcTried: number): QuoteError {
  if (failure === 'stale')
    return new QuoteError('rpc_stale', `The latest block of ${chain} is too old.`, { rpcTried })
  const message = messages[failure]?.(chain) ?? `No node of ${chain} gave a valid answer.`
  return new QuoteError('rpc_unreachable', message, { rpcTried })
}

const messages: Partial<Record<Failure, (chain: string) => string>> = {
  unverified: (chain) => `No second host of ${chain} gave the same answer on the same block.`,
  overrides_refused: (chain) =>
    `No node of ${chain} quotes on the state in \`overrides\`: it takes no state overrides, or not these.`,
  no_cancun: (chain) =>
    `The nodes of ${chain} lack the opcodes of Cancun, which the contracts need, so quotes are not available there.`,
}

function stoppedMessage({ error, how }: Extract<PlanAnswer, { kind: 'stopped' }>): string {
  const why = how === 'halt' ? 'ran out of gas' : `reverted${error ? ` with ${error}` : ''}`
  return `The quote call ${why} on chain, so there is no executable route for this trade.`
}
