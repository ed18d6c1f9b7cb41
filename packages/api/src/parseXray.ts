import { Chains, type Registry, Tokens } from '@sluice/domain'
import { ApiError, type Detail } from './ApiError.js'
import type { Code } from './codes.js'
import { xrayParameters } from './xray.js'

const codeOf: Readonly<Record<keyof typeof xrayParameters.shape, Code>> = {
  chain: 'bad_chain',
  token: 'bad_token',
}

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
  const textOf = (field: keyof typeof codeOf) => {
    const parsed = xrayParameters.shape[field].safeParse(query.get(field) ?? undefined)
    if (parsed.success) return parsed.data
    details.push({ field, code: codeOf[field], reason: parsed.error.issues[0]!.message })
    return undefined
  }
  const chainText = textOf('chain')
  const chain = chainText === undefined ? undefined : registry.get(Chains.idOf(chainText)!)
  if (chainText !== undefined && chain === undefined)
    details.push({ field: 'chain', code: 'bad_chain', reason: 'is not served by this service' })
  const text = textOf('token')
  const parsed = text === undefined ? undefined : Tokens.parse(text)
  if (parsed?.ok === false)
    details.push({ field: 'token', code: 'unresolved', reason: parsed.reason })
  if (chain && parsed?.ok) return { chain, token: parsed.token }
  const first = details[0]!
  throw new ApiError(first.code, `\`${first.field}\` ${first.reason}.`, { details })
}

/** Error for a symbol that does not identify one token. */
export function unresolvedToken({ isUnresolved, reason }: Tokens.Problem): ApiError {
  const code = isUnresolved ? 'unresolved' : 'bad_token'
  const details = [{ field: 'token', code, reason } as const]
  return new ApiError(code, `\`token\` ${reason}.`, { details })
}
