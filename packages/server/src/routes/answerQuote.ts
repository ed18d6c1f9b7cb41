import { encodeQuote, type QuoteResponse } from '@sluice/api'
import type { QuoteAnswer } from '@sluice/engine'

/** The wire's quote with its `meta`. `startedAt` is in unix milliseconds. */
export function answerQuote(
  answer: QuoteAnswer,
  times: { now: number; startedAt: number },
): QuoteResponse {
  const { block, cache, quote, rpcTried } = answer
  const { connectors } = quote.request
  return encodeQuote(quote, {
    quotedAt: times.now,
    latencyMs: times.now - times.startedAt,
    rpcTried,
    cache,
    blockNumber: Number(block.number),
    ...(block.hash !== undefined && { blockHash: block.hash }),
    ...(connectors.length > 0 && { connectors: [...connectors] }),
  })
}
