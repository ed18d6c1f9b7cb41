import { type DecodedQuote, parseDecodedQuote } from '../amounts.js'
import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { PreparedRequest } from '../wire.js'

/**
 * Turns a node's response to a prepared call into a quote, with the checks that it passed. `decode` of
 * `@sluice/sdk/verify` does the same without the service.
 *
 * @throws IntegrityError with the failed check.
 */
export async function decodeQuote(
  client: Client,
  parameters: {
    /** `request` of the prepared call, unchanged. */
    request: PreparedRequest
    /** `result` of the node's JSON-RPC response. */
    result: string
  },
  options?: CallOptions,
): Promise<DecodedQuote> {
  const body = { request: parameters.request, result: parameters.result }
  const answer = await request(client, 'postDecode', { body }, options)
  return parseDecodedQuote(answer)
}
