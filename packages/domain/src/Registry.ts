import * as Addresses from './Addresses.js'
import type { ChainDeployments, Contracts, Deployments } from './Deployments.js'

/** Generation that is served where none is asked for. */
export const defaultVersion = '1.0.0'

/** A chain with what is needed to quote on it. */
export type ServedChain = Omit<ChainDeployments, 'versions'> & {
  readonly chainId: number
  readonly version: string
  readonly contracts: Contracts
}

/** The chains that are served, by id. */
export type Registry = ReadonlyMap<number, ServedChain>

/** Picks the chains of `chainIds` that have a Quoter of the default generation. */
export function from(deployments: Deployments, chainIds: readonly number[]): Registry {
  const served = chainIds.flatMap((chainId): [number, ServedChain][] => {
    const key = String(chainId)
    if (!Object.hasOwn(deployments.chains, key)) return []
    const { versions, ...chain } = deployments.chains[key]!
    const contracts = Object.hasOwn(versions, defaultVersion) ? versions[defaultVersion] : undefined
    if (contracts === undefined || Addresses.equal(contracts.quoter, Addresses.zero)) return []
    return [[chainId, { ...chain, chainId, version: defaultVersion, contracts }]]
  })
  return new Map(served)
}
