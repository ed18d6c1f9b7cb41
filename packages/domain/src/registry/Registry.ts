import * as Addresses from '../values/Addresses.js'
import type { ChainDeployments, Contracts, Deployments } from './Deployments.js'
import type { ServedChain } from './ServedChain.js'
import * as Undeployed from './Undeployed.js'
import { defaultVersion } from './Versions.js'

export type { ServedChain }
export { defaultVersion }

/** The served chains, by id. */
export type Registry = ReadonlyMap<number, ServedChain>

/**
 * Registry of the chains in `chainIds` that have a Quoter of the default generation, or a built-in configuration that allows
 * quotes with a state override. Leaves out other chains.
 */
export function from(deployments: Deployments, chainIds: readonly number[]): Registry {
  const served = chainIds.flatMap((chainId): [number, ServedChain][] => {
    const chain = deployed(deployments, chainId) ?? Undeployed.find(chainId)
    return chain === undefined ? [] : [[chainId, chain]]
  })
  return new Map(served)
}

/** The chain with the contracts of another generation; `undefined` if that generation has no Quoter on it. */
export function inVersion(chain: ServedChain, version: string): ServedChain | undefined {
  if (chain.version === version) return chain
  const contracts = contractsIn(chain, version)
  return contracts && { ...chain, version, contracts }
}

/** Generations that can quote on a chain. */
export function versionsOf(chain: ServedChain): readonly string[] {
  const deployed = Object.keys(chain.versions).filter((version) => contractsIn(chain, version))
  return [...new Set([chain.version, ...deployed])].sort()
}

function deployed({ chains }: Deployments, chainId: number): ServedChain | undefined {
  const key = String(chainId)
  if (!Object.hasOwn(chains, key)) return undefined
  const chain = chains[key]!
  const contracts = contractsIn(chain, defaultVersion)
  return contracts && { ...chain, chainId, version: defaultVersion, contracts }
}

function contractsIn({ versions }: ChainDeployments, version: string): Contracts | undefined {
  const contracts = Object.hasOwn(versions, version) ? versions[version] : undefined
  const isDeployed = contracts !== undefined && !Addresses.equal(contracts.quoter, Addresses.zero)
  return isDeployed ? contracts : undefined
}
