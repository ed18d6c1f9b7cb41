import { parseQuote, type Quote } from '../amounts.js'
import type { Client } from '../createClient.js'
import { errorFromBody } from '../errorFromBody.js'
import { type ApiError, DecodeError } from '../errors.js'
import { encodeItem, type QuoteParameters } from '../parameters.js'
import { type CallOptions, request } from '../request.js'
import type { ErrorBody } from '../wire.js'

/** Result of one item of a batch. */
export type Settled<value> =
  | { readonly ok: true; readonly value: value }
  | { readonly ok: false; readonly error: ApiError }

/** Returns up to ten quotes with one request, in the same order. Each succeeds or fails on its own. */
export async function getQuotes(
  client: Client,
  requests: readonly QuoteParameters[],
  options?: CallOptions,
): Promise<readonly Settled<Quote>[]> {
  const body = { requests: requests.map(encodeItem) }
  const answer = await request<{ results?: unknown }>(
    client,
    'postQuoteBatch',
    { body, isRepeatable: false },
    options,
  )
  return settle(client, answer.results, requests.length, parseQuote)
}

/** Parses the items of a batch response. Turns error objects into typed errors. */
export function settle<value>(
  { baseUrl }: Pick<Client, 'baseUrl'>,
  items: unknown,
  count: number,
  read: (item: unknown) => value,
): readonly Settled<value>[] {
  if (!Array.isArray(items) || items.length !== count)
    throw new DecodeError(`does not have ${count} results`)
  return items.map((item: { ok?: unknown } | null) =>
    item?.ok === true
      ? { ok: true, value: read(item) }
      : { ok: false, error: errorFromBody(item as unknown as ErrorBody, { baseUrl }) },
  )
}

/** Value of a batch of one item. Throws the item's error. */
export function onlyValue<value>([only]: readonly Settled<value>[]): value {
  if (!only!.ok) throw only!.error
  return only!.value
}
