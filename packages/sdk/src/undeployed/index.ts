/** Quotes on chains without a deployment. A module of its own, because the contracts' code is many times the rest of the package. */
import { Chains, Undeployed } from '@sluice/domain'
import type { RegisteredChain, Registry } from '../verify/registry.js'

/**
 * The registry with those chains that it does not have: calls there bring code and storage along, and no transaction is
 * given, since there is no Router.
 *
 * @param chainIds Chains to add. Default: all for which there is a config.
 */
export function withUndeployed(registry: Registry, chainIds?: readonly number[]): Registry {
  const wanted = chainIds ?? Chains.all.map(({ chainId }) => chainId)
  const added = wanted.flatMap((chainId): [number, RegisteredChain][] => {
    const chain = registry.has(chainId) ? undefined : Undeployed.find(chainId)
    return chain === undefined ? [] : [[chainId, chain]]
  })
  return new Map([...registry, ...added])
}
