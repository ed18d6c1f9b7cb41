import type { AskNode } from './AskNode.js'
import { type Cursor, hexOf } from './Block.js'
import { LogsError } from './LogsError.js'
import { blockIn, headerCall } from './readRange.js'

/**
 * Finds the last of the kept blocks that the node has too; `undefined` if it has none of them.
 *
 * Uses binary search: chains that share a block share all blocks before it.
 *
 * @param kept Sorted by number, lowest first.
 * @throws LogsError if the node does not answer.
 */
export async function findAncestor(
  ask: AskNode,
  kept: readonly Cursor[],
): Promise<Cursor | undefined> {
  let [shared, different] = [-1, kept.length]
  while (different - shared > 1) {
    const middle = Math.floor((shared + different) / 2)
    const { hash, number } = kept[middle]!
    const [outcome, latest] = await ask([hexOf(number), 'latest'].map(headerCall))
    // A node without a latest block is broken: a block that it lacks proves nothing.
    if (blockIn(latest!) === undefined)
      throw new LogsError('unreachable', 'The node has no latest block.')
    if (blockIn(outcome!)?.hash === hash) shared = middle
    else different = middle
  }
  return kept[shared]
}
