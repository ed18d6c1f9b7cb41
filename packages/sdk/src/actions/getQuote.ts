import { parseQuote, type Quote } from '../amounts.js'
import type { Client } from '../createClient.js'
import { encodeParameters, type QuoteParameters } from '../parameters.js'
import { type CallOptions, request } from '../request.js'
import { getQuotes, onlyValue } from './getQuotes.js'

/**
 * Returns the best executable route for a trade and, with `recipient`, the transaction to sign. Sends `overrides` in a body, because
 * a URL is too short for most.
 *
 * @throws NoRouteError, InvalidParameterError, RpcUnreachableError, RpcRequiredError, and the errors of any request.
 */
export async function getQuote(
  client: Client,
  parameters: QuoteParameters,
  options?: CallOptions,
): Promise<Quote> {
  if (parameters.overrides) return onlyValue(await getQuotes(client, [parameters], options))
  const query = encodeParameters(parameters)
  return parseQuote(await request(client, 'getQuote', { query }, options))
}
