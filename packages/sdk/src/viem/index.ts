/** Quotes on your own node, and signs and sends verified transactions, with viem. */
export { type ApproveParameters, approve } from './approve.js'
export { encodeNativeIn, encodeNativeOut, type SwapTransaction } from './payments.js'
export { signPermit } from './permit.js'
export {
  encodePermit2,
  getPermit2TypedData,
  type Permit2Parameters,
  type Permit2Signature,
  permit2Address,
  signPermit2,
} from './permit2.js'
export { quote } from './quote.js'
export { type Repetition, repeatQuote } from './repeatQuote.js'
export type { Revert } from './revertOf.js'
export { SwapRevertedError } from './SwapRevertedError.js'
export { type SendParameters, send } from './send.js'
export { type SimulateParameters, simulate } from './simulate.js'
