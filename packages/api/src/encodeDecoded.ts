import type { DecodedQuote } from '@sluice/domain'
import { encodeQuote } from './encodeQuote.js'
import type { DecodeResponse } from './preparation.js'

/** The decoded quote of the wire. */
export function encodeDecoded({ integrity, quote }: DecodedQuote.DecodedQuote): DecodeResponse {
  const { blockNumber, chainId, parentHash, timestamp } = quote.plan.witness
  return {
    ...encodeQuote(quote),
    integrity,
    witness: {
      chainId: Number(chainId),
      blockNumber: blockNumber.toString(),
      timestamp: timestamp.toString(),
      parentHash,
    },
  }
}
