export { DeployError, RpcError, RpcUnreachableError } from './errors.js'
export { type Call, createRpc, type Rpc } from './rpc.js'
