import * as QuoteRequest from './QuoteRequest.js'

/** Deadline of a swap, and what it was counted from. */
export type Deadline = {
  /** Latest block time of the swap, in unix seconds. */
  readonly at: bigint
  /** The clock of the machine that builds the calldata, or the quoted block if its time is later. */
  readonly countedFrom: 'clock' | 'block'
}

/**
 * Deadline of a swap, `deadlineSec` after the clock of the machine that builds its calldata.
 *
 * The Router compares the deadline with the time of the block that contains the swap. If the quoted block's time is later
 * than the clock, the deadline counts from the block. It is never before the next block of the chain, and at most 3,600
 * seconds after the clock.
 *
 * @returns `undefined` if the clock is so far behind the block that this deadline would be before the next block.
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
    /** Time of the machine that builds the calldata, in unix seconds. */
    now: bigint
    /** Time of the quoted block, in unix seconds. */
    timestamp: bigint
    /** Time between two blocks of the chain. */
    blockTimeMs: number
  }
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
