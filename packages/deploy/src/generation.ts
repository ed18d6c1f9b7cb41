import { Generation } from '@sluice/domain'

export const { creationAddress, creationCall, deterministicDeployer, version } = Generation
export const generation = Generation.contractsOf
export type ContractName = Generation.ContractName
export type GenerationContract = Generation.GenerationContract
