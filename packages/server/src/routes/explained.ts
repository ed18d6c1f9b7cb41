import { ApiError, encodeExplanation, type QuoteResponse } from '@sluice/api'
import type { QuoteRequest } from '@sluice/domain'
import { type Engine, type QuoteAnswer, QuoteError } from '@sluice/engine'
import { toApiError } from '../middleware/handleErrors.js'
import { callOf } from './answerQuote.js'
import { explainPoints } from './pointsOf.js'

type Options = { readonly signal: AbortSignal; readonly caller: string }

/** Points that `explain=1` costs in addition to the quote. */
export function explainPointsOf({ isExplained }: QuoteRequest.QuoteRequest): number {
  return isExplained ? explainPoints : 0
}

/** What `explain=1` adds to a quote; `undefined` if it was not requested. */
export async function explainAnswer(
  engine: Pick<Engine, 'explain' | 'venues'>,
  answer: QuoteAnswer,
  options: Options,
): Promise<QuoteResponse['explain']> {
  const { block, quote } = answer
  if (!quote.request.isExplained) return undefined
  // Alternatives of a quote for an output sell the same input.
  const { amountIn } = quote.plan.route
  const request = { ...quote.request, amountIn, amountOut: undefined }
  const found = await engine.explain(request, { ...options, block })
  return encodeExplanation(found, {
    request,
    quote,
    call: callOf(answer),
    venues: engine.venues(request.chain.chainId),
  })
}

/** The error with what was looked at, if there is no route and `explain=1` was sent; otherwise the error itself. */
export async function explainError(
  engine: Pick<Engine, 'explain' | 'venues'>,
  request: QuoteRequest.QuoteRequest,
  error: unknown,
  options: Options,
): Promise<unknown> {
  if (!request.isExplained || !(error instanceof QuoteError) || error.code !== 'no_route')
    return error
  // Without a route nobody knows an input with which to look at pools.
  if (request.amountOut !== undefined) return error
  const { asked, details, route } = error
  const priced = asked?.request ?? request
  const block = asked?.block
  const found = await engine.explain(priced, { ...options, block })
  const explain = encodeExplanation(found, {
    request: priced,
    call: block && callOf({ block, quote: { request: priced } }),
    venues: engine.venues(priced.chain.chainId),
    failed: route && { code: details[0]!.code, route },
  })
  const { code, message } = error
  return new ApiError(code, message, { details: toApiError(error).details, explain })
}
