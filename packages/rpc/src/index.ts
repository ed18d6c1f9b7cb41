/** JSON-RPC client for several nodes of a chain: hedged, within a budget, with bounded responses, and without leaking URLs. */

export { type Budget, createBudget } from './Budget.js'
export type { Capabilities } from './Capabilities.js'
export { callBatch, type RpcCall, type RpcOutcome } from './callBatch.js'
export { classify, type RpcError } from './classify.js'
export { type Client, createClient, type NodeState } from './createClient.js'
export {
  type BalanceRead,
  type CallBlock,
  type EthCall,
  ethCalls,
  type StateOverride,
} from './ethCalls.js'
export { type Failure, failures, isAnswer, isNodesFault } from './failures.js'
export { createHedging, type Hedging } from './Hedging.js'
export type { Hex } from './Hex.js'
export { race } from './race.js'
export { rankUpstreams, soundUpstreams } from './rankUpstreams.js'
export * as Standing from './Standing.js'
export { tryDemoted } from './tryDemoted.js'
export { createUpstream, noteChain, type Upstream } from './Upstream.js'
