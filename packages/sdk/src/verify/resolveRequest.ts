import { QuoteParameters, type QuoteRequest } from '@sluice/domain'
import type { QuoteParameters as Parameters } from '../parameters.js'
import { encodeParameters, refused } from '../parameters.js'
import type { Registry } from './registry.js'
import { toDomain } from './toDomain.js'

/**
 * Resolves quote parameters with the registry, without a service or a node.
 *
 * @throws InvalidParameterError for the first invalid parameter.
 */
export function resolveRequest(
  registry: Registry,
  parameters: Parameters,
): QuoteRequest.QuoteRequest {
  const given = new Map(
    Object.entries(encodeParameters(parameters)).map(([name, text]) => [name, { text }]),
  )
  const parsed = QuoteParameters.parse(toDomain(registry), given, {
    venuesOf: (chainId) => registry.get(chainId)?.venues,
  })
  if (parsed.ok) return parsed.request
  const { code, field, reason } = parsed.problems[0]!
  throw refused(field, reason, code)
}
