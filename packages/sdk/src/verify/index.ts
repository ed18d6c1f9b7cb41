/** Checks that need no service: what to trust, what to ask a node, what its answer means, what is signed. */
export {
  type RegisteredChain,
  type Registry,
  readRegistry,
} from './registry.js'
export {
  type UnverifiedTransaction,
  type VerifiedTransaction,
  type VerifyOptions,
  verifyTransaction,
} from './verifyTransaction.js'
