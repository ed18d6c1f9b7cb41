import type { Client } from '../createClient.js'
import { encodeItem, type QuoteParameters } from '../parameters.js'
import { type CallOptions, request } from '../request.js'
import { wholeBatch } from '../wholeBatch.js'
import type { PreparedBatch } from '../wire.js'

/**
 * Prepares up to 32 calls as one JSON-RPC batch, ready to send. Items that cannot be prepared become error objects in
 * `items`.
 */
export async function prepareQuotes(
  client: Client,
  requests: readonly QuoteParameters[],
  options?: CallOptions,
): Promise<PreparedBatch> {
  const body = { requests: requests.map(encodeItem) }
  return wholeBatch(await request(client, 'postPrepare', { body }, options))
}
