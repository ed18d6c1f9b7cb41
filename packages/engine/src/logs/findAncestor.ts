import type { AskNode } from './AskNode.js'
import { type Cursor, hexOf } from './Block.js'
import { LogsError } from './LogsError.js'
import { blockIn, headerCall } from './readRange.js'

/**
 * The last of the blocks that the node has too; `undefined` if it has none.
 *
 * Halves the list: a chain that shares a block shares all before it.
 *
 * @param kept In the order of the chain.
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
    // What a node that is out of order does not know says nothing of the chain.
    if (blockIn(latest!) === undefined)
      throw new LogsError('unreachable', 'The node has no latest block.')
    if (blockIn(outcome!)?.hash === hash) shared = middle
    else different = middle
  }
  return kept[shared]
}
