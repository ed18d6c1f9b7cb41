import { QuoteParameters, type QuoteRequest } from '@sluice/domain'
import type { QuoteParameters as Parameters } from '../parameters.js'
import { encodeParameters, refused } from '../parameters.js'
import type { Registry } from './registry.js'
import { toDomain } from './toDomain.js'

/**
 * What the parameters mean on their chain, by the registry alone.
 *
 * @throws InvalidParameterError for the first parameter that is wrong.
 */
export function resolveRequest(
  registry: Registry,
  parameters: Parameters,
): QuoteRequest.QuoteRequest {
  const given = new Map(
    Object.entries(encodeParameters(parameters)).map(([name, text]) => [name, { text }]),
  )
  const parsed = QuoteParameters.parse(toDomain(registry), given)
  if (parsed.ok) return parsed.request
  const { code, field, reason } = parsed.problems[0]!
  throw refused(field, reason, code)
}
