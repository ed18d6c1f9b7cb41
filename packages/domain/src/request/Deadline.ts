import * as QuoteRequest from './QuoteRequest.js'

/** Last second in which a swap may happen, and what it was counted from. */
export type Deadline = {
  /** Unix seconds. */
  readonly at: bigint
  /** The clock of the machine that builds the calldata, or the quoted block if its time is later. */
  readonly countedFrom: 'clock' | 'block'
}

/**
 * Deadline of a swap, `deadlineSec` after the clock of the machine that builds its calldata.
 *
 * The Router compares it with the time of the block that takes the swap. So a block dated after the clock counts in the
 * clock's place, and the next block of the chain is always in time. Never more than the maximum of 3,600 seconds after
 * the clock.
 *
 * @returns `undefined` if the clock is so far behind the block that the deadline would already be past.
 */
export function from(parameters: from.Parameters): Deadline | undefined {
  const { blockTimeMs, deadlineSec, now, timestamp } = parameters
  const nextBlock = timestamp + BigInt(Math.ceil(blockTimeMs / 1_000))
  const wished = max(max(now, timestamp) + BigInt(deadlineSec), nextBlock)
  const latest = now + BigInt(QuoteRequest.deadlineSecRange.max)
  const at = wished < latest ? wished : latest
  if (at < nextBlock) return undefined
  return { at, countedFrom: timestamp > now ? 'block' : 'clock' }
}

export declare namespace from {
  type Parameters = {
    deadlineSec: number
    /** Unix seconds by the clock of the machine that builds the calldata. */
    now: bigint
    /** Of the quoted block, unix seconds. */
    timestamp: bigint
    /** Time between two blocks of the chain. */
    blockTimeMs: number
  }
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
