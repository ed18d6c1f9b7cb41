import { quoteParameters } from '../parameters.js'
import { batchEnvelope } from '../parseBatch.js'
import { pictureParameters } from '../picture.js'
import { batchResponse, quoteResponse } from '../responses.js'
import { bodyErrors, type Description, quoteErrors, trade } from './Operation.js'

const relayErrors = [
  ...quoteErrors,
  'rpc_required',
  'no_route',
  'rpc_unreachable',
  'rpc_stale',
  'overloaded',
  'rate_limited',
] as const

/** Quotes that the service computes on its nodes. */
export const quoteOperations = {
  getQuote: {
    summary: 'The best executable route for a trade',
    description:
      'The Quoter contract computes the quote. With `recipient` the response contains a transaction to sign. A service with QUOTE_RELAY=off responds with 400 `rpc_required` and the prepared call in `prepared`.',
    query: quoteParameters,
    success: { schema: quoteResponse },
    errors: relayErrors,
    tag: 'quote',
    points: 5,
    isWork: true,
    needsRelay: true,
    discovery: { name: 'quote', query: trade },
    surfaces: { action: 'getQuote', tool: 'get_quote', command: 'quote' },
    guide: {
      section: 'quote',
      title: 'Quote',
      query: trade,
      note: 'chain, in, out, amountIn; add recipient for `tx`, slippageBps (0 to 5000), deadlineSec (10 to 3600), sender for `issues` and `calls` (what the sender lacks, and the remaining transactions), exact=1 for a dry run on the live pools (always made with recipient or sender), explain=1 for what other routes would deliver, or why there is none, overrides for a quote on a state of your own',
    },
  },
  getQuoteStream: {
    summary: 'A stream of the quote: now, and for each block that changes it',
    description:
      'Additive. Server-sent events. `quote` comes at once and after each block that changes the quote, with the block number as its id. The last event is `error` or `end`. The data of an event is JSON: a quote, an error object, or `{reason}`. A stream ends after five minutes (`time`), after 500 events (`count`), or when the service stops (`shutdown`); open it again. The last event sets `retry`, so that an EventSource waits before it reconnects: a minute after an error that is not retryable.',
    query: quoteParameters,
    success: { mediaType: 'text/event-stream' },
    errors: [...quoteErrors, 'rpc_required', 'overloaded'],
    tag: 'quote',
    points: 5,
    isWork: true,
    needsRelay: true,
    surfaces: { action: 'streamQuote' },
  },
  getRoutePicture: {
    summary: 'The route of a quote as a picture',
    description:
      'Additive. An SVG image: the tokens from left to right, and a band for each swap, or one for several small ones. Each band is as thick as its share of the input, and labeled with that share and the pool. Show it in its own size: its words are then about 12 pixels high. In a small `width` the tokens go from top to bottom.',
    query: pictureParameters,
    success: { mediaType: 'image/svg+xml' },
    errors: relayErrors,
    tag: 'quote',
    points: 5,
    isWork: true,
    needsRelay: true,
  },
  postQuoteBatch: {
    summary: 'Up to ten quotes; all quotes on one chain are for the same block',
    body: batchEnvelope,
    success: { schema: batchResponse },
    errors: [...bodyErrors, 'rpc_required', 'overloaded'],
    tag: 'quote',
    points: 5,
    isWork: true,
    needsRelay: true,
    discovery: { name: 'quoteBatch', note: 'At most 10.' },
    surfaces: { action: 'getQuotes', tool: 'get_quotes' },
  },
} as const satisfies Record<string, Description>
