import type { DecodedQuote } from '@sluice/domain'
import { encodeQuote } from './encodeQuote.js'
import type { DecodeResponse } from './preparation.js'

/** Encodes a decoded quote as the response of POST /api/quote/decode. */
export function encodeDecoded(
  { integrity, quote }: DecodedQuote.DecodedQuote,
  names: Pick<encodeQuote.Options, 'tokens' | 'venues'> = {},
): DecodeResponse {
  const { blockNumber, chainId, parentHash, timestamp } = quote.plan.witness
  return {
    ...encodeQuote(quote, names),
    integrity,
    witness: {
      chainId: Number(chainId),
      blockNumber: blockNumber.toString(),
      timestamp: timestamp.toString(),
      parentHash,
    },
  }
}
