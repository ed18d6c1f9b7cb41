import { Chains, type Registry } from '@sluice/domain'
import type { Detail } from './ApiError.js'
import { quoteParameters } from './parameters.js'

/**
 * Returns the chain that the `chain` parameter of a query names. If it is missing, malformed or not served, adds the reason to
 * `details` and returns `undefined`.
 */
export function chainOf(
  registry: Registry.Registry,
  query: URLSearchParams,
  details: Detail[],
): Registry.ServedChain | undefined {
  const parsed = quoteParameters.shape.chain.safeParse(query.get('chain') ?? undefined)
  const chain = parsed.success ? registry.get(Chains.idOf(parsed.data)!) : undefined
  if (chain === undefined) {
    const reason = parsed.success
      ? 'is not served by this service'
      : parsed.error.issues[0]!.message
    details.push({ field: 'chain', code: 'bad_chain', reason })
  }
  return chain
}
