/**
 * Everything that a node can do instead of giving a result; its own words are dropped. Only `revert` and `halt` are answers
 * of the chain. The others say something about the node alone, and another node is asked.
 */
export const failures = [
  /** The EVM reverted. */
  'revert',
  /** The EVM stopped otherwise: out of gas, invalid opcode, stack, bad jump. */
  'halt',
  /** The block that was asked for is not there (yet, or any more). */
  'not_ready',
  'rate_limited',
  'too_large',
  /** The node does not know the method, or a parameter of it. */
  'unsupported',
  /** The node lets no call ask for so much gas. */
  'gas_cap',
  'auth',
  /** HTML, wrong id, not hexadecimal, not the canonical encoding, arithmetic that does not hold. */
  'bad_response',
  /** The node says that something failed inside it. */
  'server',
  'timeout',
  'connect',
  /** Nobody waits for the answer any more. */
  'cancelled',
  /** The answer was computed on another block than it should be. */
  'wrong_block',
  /** The answer is of a block that no second node has confirmed yet: the chain moved between two reads. */
  'moved',
  'wrong_chain',
  /** No second host gave the same answer, byte for byte, though one was asked. */
  'unverified',
  /** The node's EVM lacks opcodes of Cancun. */
  'no_cancun',
  /** The node's latest block is too old. */
  'stale',
] as const

/** What a node did instead of giving a result. */
export type Failure = (typeof failures)[number]

/** Whether it is what the chain says, and another node would say the same. */
export function isAnswer(failure: Failure): failure is 'revert' | 'halt' {
  return failure === 'revert' || failure === 'halt'
}

/** Whether the failure counts against the node. */
export function isNodesFault(failure: Failure): boolean {
  return (
    !isAnswer(failure) && failure !== 'cancelled' && failure !== 'moved' && failure !== 'gas_cap'
  )
}
