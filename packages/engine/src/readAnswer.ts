import { type Plan, Quote, type QuoteRequest } from '@sluice/domain'
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
    const [code, message] = refusals[plan.verdict as keyof typeof refusals]
    throw new QuoteError(code, message, { rpcTried })
  }
  return Quote.from(request, plan, { now: BigInt(Math.floor(now / 1_000)) })
}

function stoppedMessage({ error, how }: Extract<PlanAnswer, { kind: 'stopped' }>): string {
  const why = how === 'halt' ? 'ran out of gas' : `reverted${error ? ` with ${error}` : ''}`
  return `The quote call ${why} on chain, so no executable route can be given for this trade.`
}

const refusals = {
  NoRoute: ['no_route', 'No pools connect the two tokens for this amount.'],
  TokenInNotContract: ['bad_in', '`in` is not a token: the address holds no code on this chain.'],
  TokenOutNotContract: [
    'bad_out',
    '`out` is not a token: the address holds no code on this chain.',
  ],
  NothingOut: ['no_route', 'The output is zero after the protocol fee: `amountIn` is too small.'],
} as const satisfies Partial<Record<Plan.Verdict, readonly [string, string]>>
