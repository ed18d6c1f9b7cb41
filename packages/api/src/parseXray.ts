import { type Registry, Tokens } from '@sluice/domain'
import { ApiError, type Detail } from './ApiError.js'
import { chainOf } from './chainOf.js'
import { xrayParameters } from './xray.js'

/**
 * Parses the query of GET /api/xray. The caller has already checked the parameter names.
 *
 * @throws ApiError with every failing field in `details`.
 */
export function parseXray(
  registry: Registry.Registry,
  query: URLSearchParams,
): { chain: Registry.ServedChain; token: Tokens.TokenText } {
  const details: Detail[] = []
  const chain = chainOf(registry, query, details)
  const token = tokenOf(query, details)
  if (chain && token) return { chain, token }
  throw ApiError.ofDetails(details)
}

function tokenOf(query: URLSearchParams, details: Detail[]): Tokens.TokenText | undefined {
  const text = xrayParameters.shape.token.safeParse(query.get('token') ?? undefined)
  if (!text.success) {
    details.push({ field: 'token', code: 'bad_token', reason: text.error.issues[0]!.message })
    return undefined
  }
  const parsed = Tokens.parse(text.data)
  if (parsed.ok) return parsed.token
  details.push({ field: 'token', code: 'unresolved', reason: parsed.reason })
  return undefined
}

/** Error for a symbol that does not identify one token. */
export function unresolvedToken({ isUnresolved, reason }: Tokens.Problem): ApiError {
  const code = isUnresolved ? 'unresolved' : 'bad_token'
  return ApiError.ofDetails([{ field: 'token', code, reason }])
}
