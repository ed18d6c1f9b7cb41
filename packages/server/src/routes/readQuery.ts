import { givenFromQuery, parseQuoteRequest } from '@sluice/api'
import type { QuoteRequest, Registry } from '@sluice/domain'
import type { Engine } from '@sluice/engine'
import { type ReadingEngine, readRequest } from './readRequest.js'

/**
 * Parses a quote request from a raw query. Does not look up symbols.
 *
 * @throws ApiError
 */
export function readQuery(
  { registry, venuesOf }: { registry: Registry.Registry; venuesOf?: Engine['venues'] | undefined },
  query: string,
): QuoteRequest.QuoteRequest {
  const { given, repeated } = givenFromQuery(new URLSearchParams(query))
  return parseQuoteRequest(registry, given, { repeated, venuesOf })
}

/**
 * The same, but looks up symbols.
 *
 * @throws ApiError
 */
export async function readQuoteQuery(
  options: { engine: ReadingEngine; registry: Registry.Registry },
  query: string,
  signal: AbortSignal,
): Promise<QuoteRequest.QuoteRequest> {
  const { given, repeated } = givenFromQuery(new URLSearchParams(query))
  return await readRequest(options, given, { repeated, signal })
}
