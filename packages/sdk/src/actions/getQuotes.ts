import { parseQuote, type Quote } from '../amounts.js'
import type { Client } from '../createClient.js'
import { errorFromBody } from '../errorFromBody.js'
import { type ApiError, DecodeError } from '../errors.js'
import { encodeParameters, type QuoteParameters } from '../parameters.js'
import { type CallOptions, request } from '../request.js'
import type { ErrorBody } from '../wire.js'

/** What one item of a batch came to. */
export type Settled<value> =
  | { readonly ok: true; readonly value: value }
  | { readonly ok: false; readonly error: ApiError }

/** Up to ten quotes in one request, in the order asked; each succeeds or fails on its own. */
export async function getQuotes(
  client: Client,
  requests: readonly QuoteParameters[],
  options?: CallOptions,
): Promise<readonly Settled<Quote>[]> {
  const body = { requests: requests.map(encodeParameters) }
  const answer = await request<{ results?: unknown }>(
    client,
    'postQuoteBatch',
    { body, isRepeatable: false },
    options,
  )
  return settle(client, answer.results, requests.length, parseQuote)
}

/** Items of a batch answer, each read or turned into its typed error. */
export function settle<value>(
  { baseUrl }: Pick<Client, 'baseUrl'>,
  items: unknown,
  count: number,
  read: (item: unknown) => value,
): readonly Settled<value>[] {
  if (!Array.isArray(items) || items.length !== count)
    throw new DecodeError(`does not hold ${count} results`)
  return items.map((item: { ok?: unknown } | null) =>
    item?.ok === true
      ? { ok: true, value: read(item) }
      : { ok: false, error: errorFromBody(item as unknown as ErrorBody, { baseUrl }) },
  )
}
