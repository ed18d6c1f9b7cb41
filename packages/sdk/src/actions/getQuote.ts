import { parseQuote, type Quote } from '../amounts.js'
import type { Client } from '../createClient.js'
import { encodeParameters, type QuoteParameters } from '../parameters.js'
import { type CallOptions, request } from '../request.js'

/**
 * Best executable route for a trade; with `recipient`, the transaction to sign.
 *
 * @throws NoRouteError, InvalidParameterError, RpcUnreachableError, RpcRequiredError and those of any call.
 */
export async function getQuote(
  client: Client,
  parameters: QuoteParameters,
  options?: CallOptions,
): Promise<Quote> {
  const query = encodeParameters(parameters)
  return parseQuote(await request(client, 'getQuote', { query }, options))
}
