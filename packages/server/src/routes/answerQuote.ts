import { encodeQuote, type QuoteResponse } from '@sluice/api'
import { PlanCall } from '@sluice/domain'
import type { Engine, QuoteAnswer } from '@sluice/engine'
import { numberToHex } from 'viem'

/**
 * Encodes a quote with its `meta`, and what is known about its tokens.
 *
 * @param times.startedAt In unix milliseconds.
 * @param usd Values of the amounts, if they were requested.
 */
export function answerQuote(
  engine: Pick<Engine, 'venues' | 'tokens'>,
  answer: QuoteAnswer,
  times: { now: number; startedAt: number },
  usd?: QuoteResponse['usd'],
): QuoteResponse {
  const { chainId } = answer.quote.request.chain
  const tokens = engine.tokens(chainId).known
  const venues = engine.venues(chainId)
  return encodeQuote(answer.quote, { meta: metaOf(answer, times), venues, tokens, usd })
}

export function metaOf(
  { block, cache, gas: given, isPreview, override, quote, rpcTried }: QuoteAnswer,
  times: { now: number; startedAt: number },
): QuoteResponse['meta'] {
  const { connectors } = quote.request
  const asked = isPreview ? { ...quote.request, recipient: undefined } : quote.request
  const { data, to } = PlanCall.of(asked)
  const gas = numberToHex(given ?? PlanCall.fullGas(PlanCall.questionOf(asked)))
  const at = {
    blockNumber: Number(block.number),
    ...(block.hash !== undefined && { blockHash: block.hash }),
  }
  return {
    quotedAt: times.now,
    latencyMs: times.now - times.startedAt,
    rpcTried,
    cache,
    ...at,
    call: { to, data, gas, ...at, ...(override && { stateOverride: { ...override } }) },
    ...(connectors.length > 0 && { connectors: [...connectors] }),
  }
}
