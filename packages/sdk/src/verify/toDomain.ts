import type { Registry as DomainRegistry } from '@sluice/domain'
import type { Registry } from './registry.js'

/** The registry for the domain, which asks here for no contracts but the Quoter and the Router. */
export function toDomain(registry: Registry): DomainRegistry.Registry {
  const chains = [...registry].map(([chainId, chain]) => [chainId, { versions: {}, ...chain }])
  return new Map(chains as [number, DomainRegistry.ServedChain][])
}
