import { Generation, Versions } from '@sluice/domain'

export const { creationAddress, creationCall, deterministicDeployer } = Generation
export const { defaultVersion } = Versions
/** Contracts of generation 1.0.0 for a deployer. */
export const generation = Generation.contractsOf
/** Contracts of generation 2.0.0 for a deployer. */
export const secondGeneration = Generation.secondContractsOf
/** Name of a contract of the protocol. */
export type ContractName = Generation.ContractName
/** A contract with its address and creation code. */
export type GenerationContract = Generation.GenerationContract
/** Version of a generation. */
export type Version = Versions.Version
