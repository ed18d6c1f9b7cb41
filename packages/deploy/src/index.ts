export type { Attempted } from './check/Comparison.js'
export type { QuoteRecording } from './check/hindsight/QuoteRecording.js'
export { replayQuote } from './check/hindsight/recordQuote.js'
export {
  type HindsightOptions,
  type HindsightReport,
  runHindsight,
} from './check/hindsight/runHindsight.js'
export type { Recording } from './check/Recording.js'
export { record } from './check/record.js'
export { replay } from './check/replay.js'
export { type CheckOptions, type CheckReport, runCheck } from './check/runCheck.js'
export { type Deployment, type DeployOptions, deployGeneration } from './deployGeneration.js'
export { addToDeploymentsFile, mergeDeployments } from './deploymentsFile.js'
export { DeployError, RpcError, RpcUnreachableError } from './errors.js'
export {
  type ContractName,
  creationAddress,
  creationCall,
  defaultVersion,
  deterministicDeployer,
  type GenerationContract,
  generation,
  secondGeneration,
  type Version,
} from './generation.js'
export { type ChainConfig, parseChainConfig } from './parseChainConfig.js'
export { uniswapV4Key, type VenueEntry } from './parseVenue.js'
export { type Call, createRpc, type Rpc } from './rpc.js'
