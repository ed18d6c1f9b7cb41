import { type DecodedQuote, parseDecodedQuote } from '../amounts.js'
import type { Client } from '../createClient.js'
import { type CallOptions, request } from '../request.js'
import type { PreparedRequest } from '../wire.js'
import { type Settled, settle } from './getQuotes.js'

/** Decodes up to 32 results in one request. Returns them in the same order; each succeeds or fails on its own. */
export async function decodeQuotes(
  client: Client,
  items: readonly { readonly request: PreparedRequest; readonly result: string }[],
  options?: CallOptions,
): Promise<readonly Settled<DecodedQuote>[]> {
  const body = { items: items.map(({ request, result }) => ({ request, result })) }
  const answer = await request<{ results?: unknown }>(client, 'postDecode', { body }, options)
  return settle(client, answer.results, items.length, parseDecodedQuote)
}
