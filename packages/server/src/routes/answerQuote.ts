import { encodeQuote, type QuoteResponse } from '@sluice/api'
import type { QuoteAnswer } from '@sluice/engine'

/** The wire's quote with its `meta`. `startedAt` is in unix milliseconds. */
export function answerQuote(
  answer: QuoteAnswer,
  times: { now: number; startedAt: number },
): QuoteResponse {
  return encodeQuote(answer.quote, metaOf(answer, times))
}

export function metaOf(
  { block, cache, quote, rpcTried }: QuoteAnswer,
  times: { now: number; startedAt: number },
): QuoteResponse['meta'] {
  const { connectors } = quote.request
  return {
    quotedAt: times.now,
    latencyMs: times.now - times.startedAt,
    rpcTried,
    cache,
    blockNumber: Number(block.number),
    ...(block.hash !== undefined && { blockHash: block.hash }),
    ...(connectors.length > 0 && { connectors: [...connectors] }),
  }
}
