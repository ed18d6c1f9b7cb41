import type { AskNode } from './AskNode.js'
import { type Block, type Cursor, hexOf } from './Block.js'
import { findAncestor } from './findAncestor.js'
import type { Log, LogFilter, Range } from './Log.js'
import { LogsError } from './LogsError.js'
import { blockIn, headerCall, readRange } from './readRange.js'
import { checkpointEvery, unsettledBlocks } from './retention.js'
import type { Window } from './Window.js'

/** Storage for logs. Each call succeeds or fails as a whole. */
export type LogStore = {
  /** The last block that was stored. */
  readonly cursor: () => Promise<Cursor | undefined>
  /** Blocks whose hashes are kept, lowest first. */
  readonly kept: () => Promise<readonly Cursor[]>
  /**
   * Adds the logs of the blocks after the cursor, and moves the cursor to the last block.
   *
   * @param after The cursor that the caller expects. If it has changed, the call writes nothing and fails.
   */
  readonly append: (
    after: Cursor | undefined,
    read: { readonly logs: readonly Log[]; readonly blocks: readonly Cursor[] },
  ) => Promise<void>
  /** Deletes everything after the block `to`, or everything if `to` is `undefined`. */
  readonly rewind: (after: Cursor, to: Cursor | undefined) => Promise<void>
}

export type Followed = {
  /** The last block that was read. */
  readonly cursor: Cursor | undefined
  /** The node's latest block. */
  readonly head: Cursor
}

/** Maximum number of headers in one request. */
const maxHeaders = 128
/** Maximum number of refusals in a row before the round fails. */
const maxRefusals = 24

/**
 * Brings stored logs up to one node's latest block. Resumes at the cursor, and rewinds if the chain was reorganized.
 * Reads unsettled blocks with every header, and older ones in large ranges.
 *
 * @throws LogsError. What was stored before it stays.
 */
export async function followLogs(parameters: followLogs.Parameters): Promise<Followed> {
  const { ask, filter, firstBlock, onProgress, store, window } = parameters
  const { cursor: start, head } = await settle(ask, store)
  let cursor = start
  let refusals = 0
  while ((cursor?.number ?? firstBlock - 1) < head.number) {
    const from = cursor === undefined ? firstBlock : cursor.number + 1
    const isWhole = head.number - from < unsettledBlocks
    const range = { from, to: endOf(from, head.number, isWhole, window.span()) }
    try {
      const read = await readRange(ask, { filter, range, parent: cursor, isWhole })
      await store.append(cursor, { logs: read.logs, blocks: keptOf(read.blocks, cursor, isWhole) })
      cursor = read.blocks.at(-1)!
      refusals = 0
      window.grow()
      onProgress?.({ cursor, head })
    } catch (error) {
      refusals++
      if (!isTooMuch(error) || refusals > maxRefusals || !shrinkBelow(window, range)) throw error
    }
  }
  return { cursor, head }
}

export declare namespace followLogs {
  type Parameters = {
    ask: AskNode
    filter: LogFilter
    /** First block that can hold a log. */
    firstBlock: number
    store: LogStore
    window: Window
    onProgress?: ((progress: { cursor: Cursor; head: Cursor }) => void) | undefined
  }
}

/** Reads the node's head, and rewinds the store to the last block that both know. */
async function settle(ask: AskNode, store: LogStore): Promise<Followed> {
  const cursor = await store.cursor()
  const tags = ['latest', ...(cursor === undefined ? [] : [hexOf(cursor.number)])]
  const [latest, same] = await ask(tags.map(headerCall))
  const head = blockIn(latest!)
  if (head === undefined) throw new LogsError('unreachable', 'The node has no latest block.')
  if (cursor === undefined) return { cursor, head }
  // The block may be part of a branch that is dropped right now. Then the next round notices.
  if (same !== undefined && blockIn(same)?.hash === cursor.hash) return { cursor, head }
  const kept = (await store.kept()).filter(({ number }) => number <= head.number)
  const ancestor = await findAncestor(ask, kept)
  // A node that only lags has every kept block up to its own head.
  const isBehind = head.number < cursor.number && kept.length > 0 && ancestor === kept.at(-1)
  if (isBehind) return { cursor, head }
  await store.rewind(cursor, ancestor)
  return { cursor: ancestor, head }
}

function endOf(from: number, head: number, isWhole: boolean, span: number): number {
  if (isWhole) return Math.min(head, from + Math.min(span, maxHeaders) - 1)
  const end = Math.min(head - unsettledBlocks, from + span - 1)
  const aligned = end - (end % checkpointEvery)
  return aligned > from ? aligned : end
}

/**
 * If only the first and last header were read, keeps the last one. At the very start it keeps both, so that the oldest
 * block is known.
 */
function keptOf(
  blocks: readonly Block[],
  cursor: Cursor | undefined,
  isWhole: boolean,
): readonly Block[] {
  return isWhole || cursor === undefined ? blocks : blocks.slice(-1)
}

function isTooMuch(error: unknown): boolean {
  return error instanceof LogsError && ['refused', 'inconsistent'].includes(error.fault)
}

/** Shrinks the window below a refused range. */
function shrinkBelow(window: Window, { from, to }: Range): boolean {
  do {
    if (!window.shrink()) return false
  } while (window.span() > to - from)
  return true
}
