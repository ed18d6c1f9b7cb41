import type { Address, Hex } from 'viem'
import type { Cursor, PoolStore } from './PoolStore.js'
import { poolOf, poolTopics, type RawLog } from './poolEvents.js'

/** Asks a node; fails where the node does. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

/** Blocks asked for at once, at first and at most; a node that refuses is asked for less. */
const firstSpan = 2_000
const mostSpan = 100_000
/** How far back a reorganisation is looked for. */
const reorgDepth = 128

/**
 * Brings the index of a chain up to the node's latest block: resumes where it stopped, and goes back where the chain
 * was reorganised.
 *
 * @returns The block that was reached.
 * @throws What `ask` throws; what was stored until then stays.
 */
export async function followPools(parameters: followPools.Parameters): Promise<Cursor> {
  const { ask, chainId, factories, firstBlock = 0, onProgress, store } = parameters
  const head = await readBlock(ask, 'latest')
  await rewindIfReorganised(ask, store, chainId)
  let from = (store.cursor(chainId)?.number ?? firstBlock - 1) + 1
  let span = firstSpan
  while (from <= head.number) {
    const to = Math.min(from + span - 1, head.number)
    const logs = await readLogs(ask, factories, from, to)
    if (logs === undefined) {
      if (span === 1) throw new Error(`The node gives no logs for block ${from}.`)
      span = Math.max(1, Math.floor(span / 4))
      continue
    }
    const end = to === head.number ? head : await readBlock(ask, hexOf(to))
    store.append(
      chainId,
      logs.flatMap((log) => poolOf(log) ?? []),
      end,
    )
    onProgress?.({ block: to, head: head.number, pools: store.count(chainId) })
    from = to + 1
    span = Math.min(mostSpan, span * 2)
  }
  return store.cursor(chainId) ?? head
}

export declare namespace followPools {
  type Parameters = {
    ask: Ask
    store: PoolStore
    chainId: number
    /** Factories of the chain's venues; other contracts announce what they like. */
    factories: readonly Address[]
    /** First block that can hold a pool. @default 0 */
    firstBlock?: number | undefined
    onProgress?: ((progress: { block: number; head: number; pools: number }) => void) | undefined
  }
}

/** Goes back to the last block that both the store and the node know. */
async function rewindIfReorganised(ask: Ask, store: PoolStore, chainId: number): Promise<void> {
  const cursor = store.cursor(chainId)
  if (!cursor) return
  const same = await readBlock(ask, hexOf(cursor.number)).catch(() => undefined)
  if (same?.hash === cursor.hash) return
  const safe = cursor.number - reorgDepth
  // A chain that is shorter than that was started anew.
  if (safe < 0) return store.clear(chainId)
  store.rewind(chainId, await readBlock(ask, hexOf(safe)))
}

async function readLogs(
  ask: Ask,
  factories: readonly Address[],
  from: number,
  to: number,
): Promise<readonly RawLog[] | undefined> {
  const filter = {
    address: factories,
    topics: [poolTopics],
    fromBlock: hexOf(from),
    toBlock: hexOf(to),
  }
  const answer = await ask('eth_getLogs', [filter]).catch(() => undefined)
  return Array.isArray(answer) ? (answer as RawLog[]) : undefined
}

async function readBlock(ask: Ask, tag: string): Promise<Cursor> {
  const block = (await ask('eth_getBlockByNumber', [tag, false])) as {
    number?: Hex
    hash?: Hex
  } | null
  if (!block?.number || !block.hash) throw new Error('The node does not know the block.')
  return { number: Number(block.number), hash: block.hash }
}

function hexOf(number: number): Hex {
  return `0x${number.toString(16)}`
}
