import { QuoteParameters, type QuoteRequest, type Registry, type Venues } from '@sluice/domain'
import { ApiError, type Detail } from './ApiError.js'
import type { Code } from './codes.js'

/**
 * Parses the parameters of a quote.
 *
 * @param options.repeated Parameters that were sent more than once.
 * @param options.symbols Results of symbols that were looked up. Other symbols are resolved from the built-in lists.
 * @throws ApiError with every failing field in `details`, and the code of the first.
 */
export function parseQuoteRequest(
  registry: Registry.Registry,
  given: QuoteParameters.Given,
  options: {
    repeated?: readonly Detail[] | undefined
    symbols?: QuoteParameters.Symbols<Code> | undefined
    /** The venues of a chain, if they are known. */
    venuesOf?: ((chainId: number) => Venues.Venues | undefined) | undefined
  } = {},
): QuoteRequest.QuoteRequest {
  const { repeated = [], symbols, venuesOf } = options
  const parsed = QuoteParameters.parse(registry, given, { symbols, venuesOf })
  if (parsed.ok && repeated.length === 0) return parsed.request
  throw ApiError.ofDetails([...(parsed.ok ? [] : parsed.problems), ...repeated])
}
