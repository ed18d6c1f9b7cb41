import { parseQuoteRequest, rawFromQuery, readPlainQuery } from '@sluice/api'
import type { QuoteRequest, Registry } from '@sluice/domain'
import type { Engine } from '@sluice/engine'
import { readRequest } from './readRequest.js'

/**
 * A quote request from a query as it was sent. Nobody is asked about symbols.
 *
 * @throws ApiError
 */
export function readQuery(registry: Registry.Registry, query: string): QuoteRequest.QuoteRequest {
  const plain = readPlainQuery(registry, query)
  if (plain !== undefined) return plain
  const { raw, repeated } = rawFromQuery(new URLSearchParams(query))
  return parseQuoteRequest(registry, raw, { alreadyWrong: repeated })
}

/**
 * The same, with symbols looked up.
 *
 * @throws ApiError
 */
export async function readQuoteQuery(
  options: { engine: Pick<Engine, 'lookUp'>; registry: Registry.Registry },
  query: string,
  signal: AbortSignal,
): Promise<QuoteRequest.QuoteRequest> {
  const plain = readPlainQuery(options.registry, query)
  if (plain !== undefined) return plain
  const { raw, repeated } = rawFromQuery(new URLSearchParams(query))
  return await readRequest(options, raw, { alreadyWrong: repeated, signal })
}
