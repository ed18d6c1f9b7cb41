import type { Registry } from '@sluice/domain'
import { ApiError, type Detail } from './ApiError.js'
import { chainOf } from './chainOf.js'

/**
 * Parses the query of GET /api/sources. The caller has already checked the parameter names.
 *
 * @throws ApiError if the chain is missing or not served.
 */
export function parseSources(
  registry: Registry.Registry,
  query: URLSearchParams,
): Registry.ServedChain {
  const details: Detail[] = []
  const chain = chainOf(registry, query, details)
  if (chain === undefined) throw ApiError.ofDetails(details)
  return chain
}
