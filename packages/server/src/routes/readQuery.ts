import { givenFromQuery, parseQuoteRequest } from '@sluice/api'
import type { QuoteRequest, Registry } from '@sluice/domain'
import type { Engine } from '@sluice/engine'
import { readRequest } from './readRequest.js'

/**
 * Parses a quote request from a raw query. Does not look up symbols.
 *
 * @throws ApiError
 */
export function readQuery(registry: Registry.Registry, query: string): QuoteRequest.QuoteRequest {
  const { given, repeated } = givenFromQuery(new URLSearchParams(query))
  return parseQuoteRequest(registry, given, { repeated })
}

/**
 * The same, but looks up symbols.
 *
 * @throws ApiError
 */
export async function readQuoteQuery(
  options: { engine: Pick<Engine, 'lookUp'>; registry: Registry.Registry },
  query: string,
  signal: AbortSignal,
): Promise<QuoteRequest.QuoteRequest> {
  const { given, repeated } = givenFromQuery(new URLSearchParams(query))
  return await readRequest(options, given, { repeated, signal })
}
