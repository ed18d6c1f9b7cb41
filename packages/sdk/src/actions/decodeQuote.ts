import { type DecodedQuote, parseDecodedQuote } from '../amounts.js'
import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { PreparedRequest } from '../wire.js'

/**
 * Turns a node's answer to a prepared call into a quote, with the checks that ran. The same is done without any service
 * by `decode` of `@sluice/sdk/verify`.
 *
 * @throws IntegrityError naming the check that failed.
 */
export async function decodeQuote(
  client: Client,
  parameters: {
    /** `request` of the prepared call, unchanged. */
    request: PreparedRequest
    /** What the node answered: the `result` of its JSON-RPC answer. */
    result: string
  },
  options?: CallOptions,
): Promise<DecodedQuote> {
  const body = { request: parameters.request, result: parameters.result }
  const answer = await request(client, 'postDecode', { body }, options)
  return parseDecodedQuote(answer)
}
