import type { Client } from '../createClient.js'
import { encodeParameters, type QuoteParameters } from '../parameters.js'
import { type CallOptions, request } from '../request.js'
import type { PreparedQuote } from '../wire.js'

/** Returns the `eth_call` that computes a quote, for your own node. The service asks no node. */
export async function prepareQuote(
  client: Client,
  parameters: QuoteParameters,
  options?: CallOptions,
): Promise<PreparedQuote> {
  const query = encodeParameters(parameters)
  return await request(client, 'getPrepare', { query }, options)
}
