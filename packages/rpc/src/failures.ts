/**
 * All failures of a request to a node, without the node's own error text. Only `revert` and `halt` are results of the chain.
 * After the others, another node is asked.
 */
export const failures = [
  /** The EVM reverted. */
  'revert',
  /** The EVM stopped for another reason: out of gas, invalid opcode, stack error, invalid jump. */
  'halt',
  /** The node does not have the block yet, or no longer has it. */
  'not_ready',
  'rate_limited',
  'too_large',
  /** The node does not know the method or a parameter. */
  'unsupported',
  /** The call has more gas than the node allows. */
  'gas_cap',
  'auth',
  /** The response is invalid: HTML, wrong id, not hexadecimal, not canonically encoded, or wrong arithmetic. */
  'bad_response',
  /** The node reports an internal error. */
  'server',
  'timeout',
  'connect',
  /** The caller aborted the request, or the budget is used up. */
  'cancelled',
  /** The result was computed on another block than requested. */
  'wrong_block',
  /** The result is from a block that no second node has confirmed: the chain moved between two reads. */
  'moved',
  'wrong_chain',
  /** No second host returned the same result, byte for byte. */
  'unverified',
  /** The node's EVM lacks opcodes of Cancun. */
  'no_cancun',
  /** The node does not take state overrides, or not those that the caller chose. */
  'overrides_refused',
  /** The node's latest block is too old. */
  'stale',
] as const

/** A failure of a request to a node. */
export type Failure = (typeof failures)[number]

/** Whether the failure is a result of the chain, which any other node would return too. */
export function isAnswer(failure: Failure): failure is 'revert' | 'halt' {
  return failure === 'revert' || failure === 'halt'
}

/** Failures that say nothing bad about the node. */
const faultless: ReadonlySet<Failure> = new Set([
  'cancelled',
  'moved',
  'gas_cap',
  'overrides_refused',
])

/** Whether the failure counts against the node. */
export function isNodesFault(failure: Failure): boolean {
  return !isAnswer(failure) && !faultless.has(failure)
}
