import {
  finderDeployedBytecode,
  finderImmutableReferences,
  hubDeployedBytecode,
  hubImmutableReferences,
  optimizerDeployedBytecode,
  optimizerImmutableReferences,
  pricerDeployedBytecode,
  pricerImmutableReferences,
  quoterDeployedBytecode,
  quoterImmutableReferences,
  routerDeployedBytecode,
  routerImmutableReferences,
  samplerDeployedBytecode,
  samplerImmutableReferences,
  solverDeployedBytecode,
  solverImmutableReferences,
} from '@sluice/abi'
import type { Address, Hex } from 'viem'
import { hubStorage } from '../generated/hubStorage.js'
import * as Addresses from '../values/Addresses.js'
import * as Adapters from './Adapters.js'
import * as Generation from './Generation.js'
import { type Runtime, withImmutables } from './Runtime.js'
import type { ServedChain } from './ServedChain.js'
import type { StateOverride } from './StateOverride.js'
import type { UndeployedChain } from './UndeployedChain.js'
import { defaultVersion } from './Versions.js'

export type { StateOverride, UndeployedChain }

/** Hub owner in the state override: the development account. The owner does not change quotes. */
export const owner: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/**
 * A chain on which nothing is deployed: its calls need a state override with the code and storage of the contracts, and
 * swaps cannot be executed. `undefined` if the chain has no built-in configuration.
 */
export function find(chainId: number): ServedChain | undefined {
  const known = hubStorage.find((chain) => chain.chainId === chainId)
  if (known === undefined) return undefined
  const { adapters, storage, ...chain } = known
  const generation = Generation.contractsOf(owner)
  const places = generation.map(({ address, name }) => [name, address])
  const contracts = {
    ...(Object.fromEntries(places) as Record<FirstContractName, Address>),
    core: Addresses.zero,
    staking: Addresses.zero,
    // No Router is deployed that callers could approve or send transactions to.
    router: Addresses.zero,
  }
  const codes = adapters.map((adapter) => [
    Adapters.addressOf(adapter, chain.wrappedNative),
    { code: Adapters.codeOf(adapter, chain.wrappedNative) },
  ])
  const stateOverride = Object.fromEntries([
    ...contractsFor(owner).map(({ address, code, name }) => {
      const hasState = name === 'hub' || name === 'router'
      return [address, hasState ? { code, state: storage[name] } : { code }]
    }),
    ...codes,
  ])
  return { ...chain, versions: {}, version: defaultVersion, contracts, stateOverride }
}

/** A contract of the default generation, as it would be deployed. */
export type UndeployedContract = {
  readonly name: FirstContractName
  readonly address: Address
  readonly code: Hex
}

/** The contracts of the default generation for a Hub of this owner, with their code. */
export function contractsFor(owner: Address): readonly UndeployedContract[] {
  return Generation.contractsOf(owner).map(({ address, args, name }) => {
    const first = name as FirstContractName
    return { name: first, address, code: withImmutables(runtimes[first], args) }
  })
}

/** Name of a contract of the default generation. */
export type FirstContractName = Exclude<Generation.ContractName, 'core' | 'staking'>

const runtimes: Readonly<Record<FirstContractName, Runtime>> = {
  finder: { code: finderDeployedBytecode, references: finderImmutableReferences },
  hub: { code: hubDeployedBytecode, references: hubImmutableReferences },
  optimizer: { code: optimizerDeployedBytecode, references: optimizerImmutableReferences },
  pricer: { code: pricerDeployedBytecode, references: pricerImmutableReferences },
  quoter: { code: quoterDeployedBytecode, references: quoterImmutableReferences },
  router: { code: routerDeployedBytecode, references: routerImmutableReferences },
  sampler: { code: samplerDeployedBytecode, references: samplerImmutableReferences },
  solver: { code: solverDeployedBytecode, references: solverImmutableReferences },
}
