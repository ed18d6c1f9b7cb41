import type { Registry as DomainRegistry } from '@sluice/domain'
import type { Registry } from './registry.js'

/** Converts a registry for the domain, whose code here uses only the Quoter and the Router. */
export function toDomain(registry: Registry): DomainRegistry.Registry {
  const chains = [...registry].map(([chainId, chain]) => [chainId, { versions: {}, ...chain }])
  return new Map(chains as [number, DomainRegistry.ServedChain][])
}
