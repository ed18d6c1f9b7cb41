import { type Plan, Quote, type QuoteRequest, Refusal } from '@sluice/domain'
import type { PlanAnswer } from './askPlans.js'
import { QuoteError } from './QuoteError.js'

/**
 * Applies the chain's answer to one caller's request.
 *
 * @param options.now Unix milliseconds.
 * @throws QuoteError where there is no quote.
 */
export function readAnswer(
  request: QuoteRequest.QuoteRequest,
  answer: PlanAnswer,
  options: { now: number; rpcTried: number },
): Quote.Quote {
  const { now, rpcTried } = options
  if (answer.kind === 'failed') {
    const isStale = answer.failure === 'stale'
    throw isStale
      ? new QuoteError('rpc_stale', `The latest block of ${request.chain.name} is too old.`, {
          rpcTried,
        })
      : new QuoteError('rpc_unreachable', `No node of ${request.chain.name} gave a valid answer.`, {
          rpcTried,
        })
  }
  if (answer.kind === 'stopped')
    throw new QuoteError('no_route', stoppedMessage(answer), { rpcTried })
  const { plan } = answer
  if (!Quote.isQuotable(plan)) {
    const { code, message } = Refusal.of(
      plan.verdict as Exclude<Plan.Verdict, Quote.QuotableVerdict>,
    )
    throw new QuoteError(code, message, { rpcTried })
  }
  return Quote.from(request, plan, { now: BigInt(Math.floor(now / 1_000)) })
}

function stoppedMessage({ error, how }: Extract<PlanAnswer, { kind: 'stopped' }>): string {
  const why = how === 'halt' ? 'ran out of gas' : `reverted${error ? ` with ${error}` : ''}`
  return `The quote call ${why} on chain, so no executable route can be given for this trade.`
}
