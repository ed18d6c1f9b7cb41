import type { Address } from 'viem'
import type { AskNode } from '../logs/AskNode.js'
import type { Cursor } from '../logs/Block.js'
import { followLogs } from '../logs/followLogs.js'
import { createWindow, type Window } from '../logs/Window.js'
import { hintedTopics } from './hintedEvents.js'
import type { PoolStore } from './PoolStore.js'
import { poolTopics } from './poolEvents.js'

/**
 * Brings the pool index of a chain up to the node's latest block.
 *
 * @returns The last block that was read.
 * @throws LogsError. What was stored before it stays.
 */
export async function followPools(parameters: followPools.Parameters): Promise<Cursor> {
  const { ask, chainId, factories, firstBlock = 0, store, window = createWindow() } = parameters
  const addresses = store.follow(chainId, factories)
  const { cursor, head } = await followLogs({
    ask,
    filter: { addresses, topics: [...poolTopics, ...hintedTopics] },
    firstBlock,
    store: store.logs(chainId, addresses),
    window,
  })
  return cursor ?? head
}

export declare namespace followPools {
  type Parameters = {
    ask: AskNode
    store: PoolStore
    chainId: number
    /**
     * Factories of the chain's venues. Events of other contracts are ignored, since they can claim anything. If one was
     * not followed before, all blocks are read again.
     */
    factories: readonly Address[]
    /** First block that can hold a pool. @default 0 */
    firstBlock?: number | undefined
    /** Pass the same window in each round to keep its size. @default a new window */
    window?: Window | undefined
  }
}
