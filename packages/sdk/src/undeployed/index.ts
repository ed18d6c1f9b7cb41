/** Quotes on chains without a deployment. A separate module, because it loads the bytecode of the contracts. */
import { Chains, Undeployed } from '@sluice/domain'
import type { RegisteredChain, Registry } from '../verify/registry.js'

/**
 * Adds chains without a deployment to a registry. Calls on these chains have a state override with the contracts, and quotes
 * have no transaction, because no Router is deployed.
 *
 * @param chainIds Chains to add. @default all chains with a built-in configuration
 */
export function withUndeployed(registry: Registry, chainIds?: readonly number[]): Registry {
  const wanted = chainIds ?? Chains.all.map(({ chainId }) => chainId)
  const added = wanted.flatMap((chainId): [number, RegisteredChain][] => {
    const chain = registry.has(chainId) ? undefined : Undeployed.find(chainId)
    return chain === undefined ? [] : [[chainId, chain]]
  })
  return new Map([...registry, ...added])
}
