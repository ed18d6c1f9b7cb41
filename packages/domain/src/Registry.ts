import * as Addresses from './Addresses.js'
import type { ChainDeployments, Contracts, Deployments } from './Deployments.js'
import * as Undeployed from './Undeployed.js'

/** Generation that is served where none is asked for. */
export const defaultVersion = '1.0.0'

/** A chain with what is needed to quote on it. */
export type ServedChain = Omit<ChainDeployments, 'versions'> & {
  readonly chainId: number
  readonly version: string
  readonly contracts: Contracts
  /** Where nothing is deployed: what a call brings along. Nothing can be executed there. */
  readonly stateOverride?: Undeployed.StateOverride | undefined
}

/** The chains that are served, by id. */
export type Registry = ReadonlyMap<number, ServedChain>

/**
 * Picks the chains of `chainIds` that have a Quoter of the default generation, or a config with which calls can bring
 * one along.
 */
export function from(deployments: Deployments, chainIds: readonly number[]): Registry {
  const served = chainIds.flatMap((chainId): [number, ServedChain][] => {
    const chain = deployed(deployments, chainId) ?? Undeployed.find(chainId)
    return chain === undefined ? [] : [[chainId, chain]]
  })
  return new Map(served)
}

function deployed({ chains }: Deployments, chainId: number): ServedChain | undefined {
  const key = String(chainId)
  if (!Object.hasOwn(chains, key)) return undefined
  const { versions, ...chain } = chains[key]!
  const contracts = Object.hasOwn(versions, defaultVersion) ? versions[defaultVersion] : undefined
  if (contracts === undefined || Addresses.equal(contracts.quoter, Addresses.zero)) return undefined
  return { ...chain, chainId, version: defaultVersion, contracts }
}
