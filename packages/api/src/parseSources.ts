import { Chains, type Registry } from '@sluice/domain'
import { ApiError } from './ApiError.js'
import { sourcesParameters } from './sources.js'

/**
 * Parses the query of GET /api/sources. The caller has already checked the parameter names.
 *
 * @throws ApiError if the chain is missing or not served.
 */
export function parseSources(
  registry: Registry.Registry,
  query: URLSearchParams,
): Registry.ServedChain {
  const parsed = sourcesParameters.safeParse({ chain: query.get('chain') ?? undefined })
  if (!parsed.success) throw badChain(parsed.error.issues[0]!.message)
  const chain = registry.get(Chains.idOf(parsed.data.chain)!)
  if (chain === undefined) throw badChain('is not served by this service')
  return chain
}

function badChain(reason: string): ApiError {
  const details = [{ field: 'chain', code: 'bad_chain', reason } as const]
  return new ApiError('bad_chain', `\`chain\` ${reason}.`, { details })
}
