export { type Deployment, type DeployOptions, deployGeneration } from './deployGeneration.js'
export { addToDeploymentsFile, mergeDeployments } from './deploymentsFile.js'
export { DeployError, RpcError, RpcUnreachableError } from './errors.js'
export {
  type ContractName,
  creationAddress,
  creationCall,
  deterministicDeployer,
  type GenerationContract,
  generation,
  version,
} from './generation.js'
export { type ChainConfig, parseChainConfig, type VenueEntry } from './parseChainConfig.js'
export { type Call, createRpc, type Rpc } from './rpc.js'
