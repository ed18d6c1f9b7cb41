import { describe, expect, test } from 'vitest'
import { createFakeLogChain, type FakeLogChain } from '../../test/fakeLogChain.js'
import { followed, recount, swapLogs, traderAt } from '../../test/swapLogs.js'
import { swapTopics } from '../swaps/SwapEvent.js'
import type { AskNode } from './AskNode.js'
import type { Cursor } from './Block.js'
import { followLogs, type LogStore } from './followLogs.js'
import type { Log } from './Log.js'
import { createWindow } from './Window.js'

const filter = { addresses: followed.map(({ address }) => address), topics: swapTopics }

/** A minimal store in memory. */
function openMemory() {
  let logs: Log[] = []
  let blocks: Cursor[] = []
  const store: LogStore = {
    cursor: async () => blocks.at(-1),
    kept: async () => blocks,
    async append(after, read) {
      expect(after?.hash).toBe(blocks.at(-1)?.hash)
      logs.push(...read.logs)
      blocks.push(...read.blocks.map(({ hash, number }) => ({ number, hash })))
    },
    async rewind(after, to) {
      expect(after?.hash).toBe(blocks.at(-1)?.hash)
      logs = logs.filter(({ blockNumber }) => blockNumber <= (to?.number ?? -1))
      blocks = blocks.filter(({ number }) => number <= (to?.number ?? -1))
    },
  }
  return { store, logs: () => logs, blocks: () => blocks }
}

function mine(chain: FakeLogChain, count: number, trader = 0, every = 3) {
  for (let block = 0; block < count; block++)
    chain.mine(block % every === 0 ? swapLogs('1.0.0', traderAt(trader + block)) : [])
}

function follower(chain: FakeLogChain) {
  const memory = openMemory()
  const window = createWindow()
  const follow = (ask: AskNode = chain.ask, firstBlock = 0) =>
    followLogs({ ask, filter, firstBlock, store: memory.store, window })
  return { ...memory, follow, window }
}

describe('followLogs', () => {
  test('default: reads settled blocks in ranges, and keeps every 1,024th hash', async () => {
    const chain = createFakeLogChain()
    mine(chain, 30_000, 0, 30)
    const { blocks, follow, logs } = follower(chain)
    const { cursor, head } = await follow()
    expect(cursor).toMatchObject({ number: 30_000, hash: chain.blocks[30_000]!.hash })
    expect(head).toMatchObject({ number: 30_000 })
    expect(logs()).toHaveLength(recount(chain.blocks).events.Swap)
    const numbers = blocks().map(({ number }) => number)
    expect(numbers.slice(0, 7)).toEqual([0, 1_024, 2_048, 5_120, 12_288, 13_312, 13_616])
    expect(numbers.slice(7)).toEqual(Array.from({ length: 16_384 }, (_, index) => 13_617 + index))
  })

  test('behavior: reads everything from a node that truncates its results', async () => {
    const chain = createFakeLogChain()
    mine(chain, 30_000, 0, 30)
    const { blocks, follow, logs } = follower(chain)
    const capped: AskNode = async (calls) =>
      calls.map((call) => {
        const outcome = chain.answer(call)
        const isList = outcome.ok && Array.isArray(outcome.result)
        return isList ? { ok: true, result: (outcome.result as unknown[]).slice(0, 20) } : outcome
      })
    await follow(capped)
    expect(logs()).toHaveLength(recount(chain.blocks).events.Swap)
    expect(blocks().at(-1)!.number).toBe(30_000)
  })

  test('behavior: resumes at the cursor with a minimum of calls', async () => {
    const chain = createFakeLogChain()
    mine(chain, 300)
    const { follow, logs } = follower(chain)
    await follow()
    chain.calls.clear()
    await follow()
    expect([...chain.calls]).toEqual([['eth_getBlockByNumber', 2]])
    mine(chain, 1)
    chain.calls.clear()
    await follow()
    // Headers of the latest, the cursor's and the new block; the logs, twice.
    expect([...chain.calls]).toEqual([
      ['eth_getBlockByNumber', 3],
      ['eth_getLogs', 2],
    ])
    expect(logs()).toHaveLength(101)
  })

  test('behavior: shrinks the range if the node refuses, and grows it again', async () => {
    const chain = createFakeLogChain()
    chain.maxSpan = 37
    chain.maxLogs = 9
    mine(chain, 3_000)
    const { follow, logs, window } = follower(chain)
    await follow()
    expect(logs()).toHaveLength(1_000)
    expect(window.span()).toBeLessThan(75)
    chain.maxSpan = Number.POSITIVE_INFINITY
    chain.maxLogs = Number.POSITIVE_INFINITY
    mine(chain, 3_000)
    await follow()
    expect(window.span()).toBeGreaterThan(1_000)
  })

  test('error: a node that serves no logs does not count as an empty chain', async () => {
    const chain = createFakeLogChain()
    chain.maxSpan = 0
    mine(chain, 3)
    const { blocks, follow } = follower(chain)
    await expect(follow()).rejects.toMatchObject({ fault: 'refused' })
    expect(blocks()).toEqual([])
  })

  test.each([1, 64, 200, 256])(
    'behavior: a reorganization of %i blocks is rewound to the common block',
    async (depth) => {
      const chain = createFakeLogChain()
      mine(chain, 600)
      const { follow, logs, blocks } = follower(chain)
      await follow()
      chain.drop(depth)
      const common = chain.blocks.length - 1
      mine(chain, depth + 1, 5_000)
      chain.calls.clear()
      await follow()
      expect(logs().map(({ blockHash }) => blockHash)).toEqual(
        chain.blocks.flatMap(({ hash, logs: inBlock }) => inBlock.map(() => hash)),
      )
      expect(blocks().at(-1)!.hash).toBe(chain.blocks.at(-1)!.hash)
      // Finds it by binary search, and reads on from there: no header twice.
      const reads = Math.min(depth + 1, 256) + (chain.blocks.length - 1 - common > 256 ? 2 : 0)
      expect(chain.calls.get('eth_getBlockByNumber')).toBeLessThanOrEqual(2 + 2 * 10 + reads)
    },
  )

  test('behavior: a reorganization deeper than the kept blocks restarts the index', async () => {
    const chain = createFakeLogChain()
    mine(chain, 900)
    const { blocks, follow, logs } = follower(chain)
    await follow(chain.ask, 300)
    chain.drop(700)
    mine(chain, 900, 5_000)
    await follow(chain.ask, 300)
    expect(blocks()[0]).toEqual({ number: 300, hash: chain.blocks[300]!.hash })
    expect(logs()).toHaveLength(recount(chain.blocks.slice(300)).events.Swap)
  })

  test('behavior: a node that lags changes nothing; a shorter chain does', async () => {
    const chain = createFakeLogChain()
    mine(chain, 400)
    const { blocks, follow } = follower(chain)
    await follow()
    const lagging: AskNode = async (calls) =>
      calls.map((call) => chain.answer(call, chain.blocks.slice(0, 300)))
    const { cursor, head } = await follow(lagging)
    expect([cursor!.number, head.number]).toEqual([400, 299])
    expect(blocks().at(-1)!.number).toBe(400)
    chain.drop(100)
    mine(chain, 1, 9_000)
    await follow()
    expect(blocks().at(-1)!).toEqual({ number: 301, hash: chain.blocks[301]!.hash })
  })

  test('error: a node without blocks deletes nothing', async () => {
    const chain = createFakeLogChain()
    mine(chain, 400)
    const { blocks, follow } = follower(chain)
    await follow()
    let asked = 0
    const failing: AskNode = async (calls) =>
      asked++ === 0
        ? calls.map((call, index) =>
            index === 0 ? chain.answer(call) : { ok: false, failure: 'bad_response' },
          )
        : calls.map(() => ({ ok: false, failure: 'bad_response' }))
    await expect(follow(failing)).rejects.toMatchObject({ fault: 'unreachable' })
    expect(blocks().at(-1)!.number).toBe(400)
  })
})
