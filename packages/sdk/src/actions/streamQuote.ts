import { parseQuote, type Quote } from '../amounts.js'
import type { Client } from '../createClient.js'
import { errorFromBody } from '../errorFromBody.js'
import { DecodeError, NetworkError } from '../errors.js'
import { encodeParameters, type QuoteParameters } from '../parameters.js'
import { type CallOptions, open } from '../request.js'
import type { ErrorBody } from '../wire.js'

/**
 * Yields a quote at once, and another for each block on which it changes, until you leave the loop or the signal aborts.
 * Opens the stream again if the service ends it.
 *
 * @example
 * for await (const quote of streamQuote(client, request)) show(quote.amountOut)
 */
export async function* streamQuote(
  client: Client,
  parameters: QuoteParameters,
  options: CallOptions = {},
): AsyncGenerator<Quote, void, undefined> {
  const query = encodeParameters(parameters)
  for (;;) {
    const leaving = new AbortController()
    const signals = [leaving.signal, ...(options.signal ? [options.signal] : [])]
    const body = await open(client, 'getQuoteStream', query, AbortSignal.any(signals))
    try {
      for await (const { data, event } of eventsOf(body, options)) {
        if (event === 'quote') yield parseQuote(data)
        else if (event === 'error')
          throw errorFromBody(data as ErrorBody, { baseUrl: client.baseUrl })
        else if (event === 'end') break
      }
    } finally {
      leaving.abort()
    }
  }
}

/** Yields the server-sent events of a stream. Throws if the stream stops, because the caller leaves at `end`. */
async function* eventsOf(body: ReadableStream<Uint8Array>, { signal }: CallOptions) {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      signal?.throwIfAborted()
      throw new NetworkError(cause)
    })
    if (done) throw new NetworkError(new Error('The stream stopped without an `end` event.'))
    const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) yield readEvent(block)
  }
}

/** Parses one event. A block without `data`, such as a heartbeat, has no event name. */
function readEvent(block: string): { event: string | undefined; data: unknown } {
  const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1]
  const data = field('data')
  try {
    return { event: field('event'), data: data === undefined ? undefined : JSON.parse(data) }
  } catch (cause) {
    throw new DecodeError('has an event that is not JSON', cause)
  }
}
