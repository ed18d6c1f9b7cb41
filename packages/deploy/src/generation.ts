import { Generation, Versions } from '@sluice/domain'

export const { creationAddress, creationCall, deterministicDeployer } = Generation
export const { defaultVersion } = Versions
export const generation = Generation.contractsOf
export const secondGeneration = Generation.secondContractsOf
export type ContractName = Generation.ContractName
export type GenerationContract = Generation.GenerationContract
export type Version = Versions.Version
