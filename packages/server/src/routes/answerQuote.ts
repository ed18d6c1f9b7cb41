import { encodeQuote, type QuoteResponse } from '@sluice/api'
import { type Overrides, PlanCall, type QuoteRequest, StateOverride } from '@sluice/domain'
import type { Engine, QuoteAnswer } from '@sluice/engine'
import { numberToHex } from 'viem'

/**
 * Encodes a quote with its `meta`, and what is known about its tokens.
 *
 * @param times.startedAt In unix milliseconds.
 * @param beside What was requested beside the quote.
 */
export function answerQuote(
  engine: Pick<Engine, 'venues' | 'tokens'>,
  answer: QuoteAnswer,
  times: { now: number; startedAt: number },
  beside: Pick<QuoteResponse, 'usd' | 'explain'> = {},
): QuoteResponse {
  const { chainId } = answer.quote.request.chain
  const tokens = engine.tokens(chainId).known
  const venues = engine.venues(chainId)
  return encodeQuote(answer.quote, { meta: metaOf(answer, times), venues, tokens, ...beside })
}

export function metaOf(
  answer: QuoteAnswer,
  times: { now: number; startedAt: number },
): QuoteResponse['meta'] {
  const { block, cache, quote, rpcTried } = answer
  const { connectors, pools } = quote.request
  const { data, gas, stateOverride, to } = callOf(answer)
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
    call: { to, data, gas, ...at, ...(stateOverride && { stateOverride: { ...stateOverride } }) },
    ...(connectors.length > 0 && { connectors: [...connectors] }),
    ...(pools && { pools: [...pools] }),
  }
}

/** The call behind an answer, with its block. */
export function callOf(
  answer: Pick<QuoteAnswer, 'block' | 'gas' | 'isPreview' | 'override'> & {
    readonly quote: { readonly request: QuoteRequest.QuoteRequest }
  },
) {
  const { block, gas: given, isPreview, override, quote } = answer
  const asked = isPreview ? { ...quote.request, recipient: undefined } : quote.request
  const { data, to } = PlanCall.of(asked)
  const gas = numberToHex(given ?? PlanCall.fullGas)
  return {
    to,
    data,
    gas,
    blockNumber: block.number,
    blockHash: block.hash,
    stateOverride: StateOverride.merged(asked.overrides, override) as
      | Overrides.Overrides
      | undefined,
  }
}
