import { type Registry, Tokens } from '@sluice/domain'
import { ApiError, type Detail } from './ApiError.js'
import { chainOf } from './chainOf.js'

/** A token of a query. */
export type AskedToken = {
  /** As the caller wrote it: an address or a symbol. */
  readonly text: string
  readonly token: Tokens.Token
}

/**
 * Parses `chain` and `tokens`, a comma-separated list of addresses and well-known symbols. The caller has already checked the
 * parameter names. Looks no symbol up.
 *
 * @returns `tokens` is undefined if the query has none.
 * @throws ApiError with every failing field in `details`.
 */
export function parseTokens(
  registry: Registry.Registry,
  query: URLSearchParams,
  { max }: { max: number },
): { chain: Registry.ServedChain; tokens: readonly AskedToken[] | undefined } {
  const details: Detail[] = []
  const chain = chainOf(registry, query, details)
  const texts = query.get('tokens')?.split(',')
  if (texts !== undefined && texts.length > max)
    throw ApiError.ofDetails([...details, wrong('bad_token', `must be at most ${max} tokens`)])
  const tokens = texts?.flatMap((text): AskedToken[] => {
    const parsed = Tokens.parse(text)
    if (!parsed.ok) {
      details.push(wrong(codeOf(parsed), `has an entry that ${parsed.reason}`))
      return []
    }
    if (chain === undefined) return []
    const resolved = Tokens.resolve(chain, parsed.token)
    if (resolved.ok) return [{ text, token: resolved.token }]
    details.push(wrong(codeOf(resolved), `has an entry that ${resolved.reason}`))
    return []
  })
  if (chain === undefined || details.length > 0) throw ApiError.ofDetails(details)
  return { chain, tokens }
}

/** Error for a query that needs tokens and has none. */
export function missingTokens(): ApiError {
  return ApiError.ofDetails([
    wrong('bad_token', 'is required: comma-separated addresses or symbols'),
  ])
}

function codeOf({ isUnresolved }: Tokens.Problem) {
  return isUnresolved ? 'unresolved' : 'bad_token'
}

function wrong(code: 'bad_token' | 'unresolved', reason: string): Detail {
  return { field: 'tokens', code, reason }
}
