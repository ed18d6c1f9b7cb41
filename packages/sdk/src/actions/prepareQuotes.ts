import type { Client } from '../createClient.js'
import { encodeParameters, type QuoteParameters } from '../parameters.js'
import { type CallOptions, request } from '../request.js'
import { wholeBatch } from '../wholeBatch.js'
import type { PreparedBatch } from '../wire.js'

/**
 * Up to 32 calls as one JSON-RPC batch, each of them whole; items that cannot be prepared are error objects in their
 * place.
 */
export async function prepareQuotes(
  client: Client,
  requests: readonly QuoteParameters[],
  options?: CallOptions,
): Promise<PreparedBatch> {
  const body = { requests: requests.map(encodeParameters) }
  return wholeBatch(await request(client, 'postPrepare', { body }, options))
}
