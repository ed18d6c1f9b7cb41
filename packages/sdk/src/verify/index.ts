/** Prepares, decodes and verifies quotes without the service. */
export { type DecodeOptions, type DecodeParameters, decode } from './decode.js'
export { type PrepareOptions, prepare } from './prepare.js'
export {
  isSameOutcome,
  type Outcome,
  prepareRepeat,
  type RepeatableQuote,
  type RepeatOptions,
} from './prepareRepeat.js'
export {
  type RegisteredChain,
  type RegisteredVenue,
  type Registry,
  readRegistry,
  type StateOverride,
  type TrustedContracts,
  withSources,
} from './registry.js'
export {
  type RepeatCall,
  type RepeatCallOptions,
  type Repeated,
  repeatCall,
} from './repeatCall.js'
export { type VerifiedCall, verifyCalls } from './verifyCalls.js'
export { encodeSigned, type VerifiedPermit, verifyPermit } from './verifyPermit.js'
export {
  type UnverifiedTransaction,
  type VerifiedTransaction,
  type VerifyOptions,
  verifyTransaction,
} from './verifyTransaction.js'
