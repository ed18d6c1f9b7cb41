import type { Client } from '../createClient.js'
import { encodeParameters, type QuoteParameters } from '../parameters.js'
import { type CallOptions, request } from '../request.js'
import type { PreparedQuote } from '../wire.js'
import { onlyValue, settle } from './getQuotes.js'
import { prepareQuotes } from './prepareQuotes.js'

/**
 * Returns the `eth_call` that computes a quote, for your own node. The service asks no node. Sends `overrides` in a body, because a
 * URL is too short for most.
 */
export async function prepareQuote(
  client: Client,
  parameters: QuoteParameters,
  options?: CallOptions,
): Promise<PreparedQuote> {
  if (parameters.overrides) {
    const { items } = await prepareQuotes(client, [parameters], options)
    return onlyValue(settle(client, items, 1, (item) => item as PreparedQuote))
  }
  const query = encodeParameters(parameters)
  return await request(client, 'getPrepare', { query }, options)
}
