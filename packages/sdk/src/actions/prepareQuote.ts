import type { Client } from '../createClient.js'
import { encodeParameters, type QuoteParameters } from '../parameters.js'
import { type CallOptions, request } from '../request.js'
import type { PreparedQuote } from '../wire.js'

/** The `eth_call` that computes the quote, for a node of your own; the service asks none. */
export async function prepareQuote(
  client: Client,
  parameters: QuoteParameters,
  options?: CallOptions,
): Promise<PreparedQuote> {
  const query = encodeParameters(parameters)
  return await request(client, 'getPrepare', { query }, options)
}
