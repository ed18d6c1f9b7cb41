import { quoteParameters } from '../parameters.js'
import { batchEnvelope } from '../parseBatch.js'
import { batchResponse, quoteResponse } from '../responses.js'
import { bodyErrors, type Description, quoteErrors, trade } from './Operation.js'

/** Quotes that the service makes on its nodes. */
export const quoteOperations = {
  getQuote: {
    summary: 'The best executable route for a trade',
    description:
      'Computed on chain by the Quoter. With `recipient` the answer carries a transaction to sign. With QUOTE_RELAY=off the service answers 400 `rpc_required` with the prepared call in `prepared`.',
    query: quoteParameters,
    success: { schema: quoteResponse },
    errors: [
      ...quoteErrors,
      'rpc_required',
      'no_route',
      'rpc_unreachable',
      'rpc_stale',
      'overloaded',
      'rate_limited',
    ],
    tag: 'quote',
    points: 5,
    isWork: true,
    needsRelay: true,
    discovery: { name: 'quote', query: trade },
  },
  getQuoteStream: {
    summary: 'The same quote again for every block on which it differs',
    description:
      'Additive. Server-sent events: `quote` (with the block number as id) at once and after each block that changes the answer, then `error` or `end` as the last one. The data of each is JSON: a quote, an error object, or `{reason}`. A stream lasts five minutes (`time`) or 500 events (`count`) at the most, and no longer than the service (`shutdown`); open it again. The last event carries `retry`: an EventSource, which opens every ended stream again, waits a minute after an error that stays.',
    query: quoteParameters,
    success: { mediaType: 'text/event-stream' },
    errors: [...quoteErrors, 'rpc_required', 'overloaded'],
    tag: 'quote',
    points: 5,
    isWork: true,
    needsRelay: true,
  },
  getRoutePicture: {
    summary: 'The route of the same quote, drawn',
    description:
      'Additive. Tokens from left to right, each swap as thick as the part of the input that it carries, with that part and its pool.',
    query: quoteParameters,
    success: { mediaType: 'image/svg+xml' },
    errors: [
      ...quoteErrors,
      'rpc_required',
      'no_route',
      'rpc_unreachable',
      'rpc_stale',
      'overloaded',
      'rate_limited',
    ],
    tag: 'quote',
    points: 5,
    isWork: true,
    needsRelay: true,
  },
  postQuoteBatch: {
    summary: 'Up to ten quotes; those of one chain are of one block',
    body: batchEnvelope,
    success: { schema: batchResponse },
    errors: [...bodyErrors, 'rpc_required', 'overloaded'],
    tag: 'quote',
    points: 5,
    isWork: true,
    needsRelay: true,
    discovery: { name: 'quoteBatch', note: 'At most 10.' },
  },
} as const satisfies Record<string, Description>
