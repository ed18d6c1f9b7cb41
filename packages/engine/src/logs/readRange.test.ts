import type { RpcCall, RpcOutcome } from '@sluice/rpc'
import { type Hex, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { createFakeLogChain, type FakeLogChain, type RawLog } from '../../test/fakeLogChain.js'
import { followed, swapLogs, traderAt } from '../../test/swapLogs.js'
import { swapTopics } from '../swaps/SwapEvent.js'
import type { AskNode } from './AskNode.js'
import { readRange } from './readRange.js'

const filter = { addresses: followed.map(({ address }) => address), topics: swapTopics }
const [someHash, otherHash] = [toHex(1n << 200n, { size: 32 }), toHex(1n << 201n, { size: 32 })]

/** Blocks 0 to 9, with two swaps in 4 and one in 7. */
function chainOfTen(): FakeLogChain {
  const chain = createFakeLogChain()
  for (let number = 1; number < 10; number++) {
    const fills = number === 4 ? 2 : number === 7 ? 1 : 0
    chain.mine(
      Array.from({ length: fills }, (_, trader) => swapLogs('1.0.0', traderAt(trader))).flat(),
    )
  }
  return chain
}

/** A node that changes its answers to some calls. */
function changing(
  chain: FakeLogChain,
  method: string,
  change: (result: never, call: RpcCall) => unknown,
): AskNode {
  return async (calls) =>
    calls.map((call): RpcOutcome => {
      const outcome = chain.answer(call)
      if (call.method !== method || !outcome.ok) return outcome
      return { ok: true, result: change(outcome.result as never, call) }
    })
}

/** A node that changes its only log, the one of block 7. */
const writing = (chain: FakeLogChain, change: (log: RawLog) => unknown) =>
  changing(chain, 'eth_getLogs', (logs: RawLog[]) =>
    logs.map((log) => (log['blockNumber'] === '0x7' ? change(log) : log)),
  )

function read(ask: AskNode, changes: Partial<readRange.Parameters> = {}) {
  const parameters = { filter, range: { from: 2, to: 9 }, parent: undefined, isWhole: true }
  return readRange(ask, { ...parameters, ...changes })
}

describe('readRange', () => {
  test.each([true, false])(
    'default: logs in order, and blocks (every header: %s)',
    async (isWhole) => {
      const chain = chainOfTen()
      const parent = { number: 1, hash: chain.blocks[1]!.hash }
      const { blocks, logs } = await read(chain.ask, { isWhole, parent })
      expect(blocks.map(({ number }) => number)).toEqual(
        isWhole ? [2, 3, 4, 5, 6, 7, 8, 9] : [2, 9],
      )
      expect(logs).toMatchObject(
        [4, 4, 7].map((number, index) => ({
          address: followed[0]!.address,
          blockNumber: number,
          blockHash: chain.blocks[number]!.hash,
          logIndex: [1, 4, 1][index],
        })),
      )
    },
  )

  test('behavior: reads a chain without bloom filters', async () => {
    const chain = createFakeLogChain({ hasBlooms: false })
    chain.mine(swapLogs('2.0.0', traderAt(1)))
    expect((await read(chain.ask, { range: { from: 0, to: 1 } })).logs).toHaveLength(3)
  })

  const address = '0x00000000000000000000000000000000000000ee'
  const hostile: Record<string, (log: RawLog) => unknown> = {
    'another contract': (log) => ({ ...log, address }),
    'no address': (log) => ({ ...log, address: null }),
    'another topic': (log) => ({ ...log, topics: [someHash, ...log.topics.slice(1)] }),
    'no topics': (log) => ({ ...log, topics: [] }),
    'malformed topics': (log) => ({ ...log, topics: [log.topics[0], '0x01'] }),
    'malformed data': (log) => ({ ...log, data: '0x0' }),
    'a removed log': (log) => ({ ...log, removed: true }),
    'a `removed` that is not a boolean': (log) => ({ ...log, removed: 'false' }),
    'a block after the range': (log) => ({ ...log, blockNumber: '0xa' }),
    'a block before the range': (log) => ({ ...log, blockNumber: '0x1' }),
    'a block number that is not a quantity': (log) => ({ ...log, blockNumber: 7 }),
    'a pending log': (log) => ({ ...log, blockNumber: null, blockHash: null, logIndex: null }),
    'an index with a leading zero': (log) => ({ ...log, logIndex: '0x01' }),
    'no transaction': (log) => ({ ...log, transactionHash: '0x' }),
    'no block': (log) => ({ ...log, blockHash: undefined }),
    null: () => null,
    'a text': () => 'log',
  }
  test.each(Object.entries(hostile))('error: %s', async (_, change) => {
    const chain = chainOfTen()
    const fault = { name: 'LogsError', fault: 'inconsistent' }
    for (const isWhole of [true, false])
      await expect(read(writing(chain, change), { isWhole })).rejects.toMatchObject(fault)
  })

  const lists: Record<string, (logs: RawLog[]) => unknown> = {
    'logs out of order': (logs) => logs.toReversed(),
    'a log twice': (logs) => [...logs, logs.at(-1)!],
    'two hashes of one block': (logs) =>
      logs.map((log, at) => ({ ...log, blockHash: at ? someHash : otherHash })),
    'not a list': (logs) => ({ ...logs }),
    'a text': () => '[]',
  }
  test.each(Object.entries(lists))('error: %s', async (_, change) => {
    const node = changing(chainOfTen(), 'eth_getLogs', change)
    const onlyFour = { range: { from: 4, to: 4 }, isWhole: false }
    await expect(read(node, onlyFour)).rejects.toMatchObject({ fault: 'inconsistent' })
  })

  test('error: a log with another block hash than the header', async () => {
    const node = writing(chainOfTen(), (log) => ({ ...log, blockHash: someHash }))
    await expect(read(node)).rejects.toMatchObject({ fault: 'moved' })
  })

  test('error: blocks that do not link to each other or to the parent', async () => {
    const chain = chainOfTen()
    const broken = changing(chain, 'eth_getBlockByNumber', (block: { number: Hex }) =>
      block.number === '0x5' ? { ...block, hash: someHash } : block,
    )
    await expect(read(broken)).rejects.toMatchObject({ fault: 'moved' })
    for (const isWhole of [true, false])
      await expect(
        read(chain.ask, { isWhole, parent: { number: 1, hash: someHash } }),
      ).rejects.toMatchObject({
        fault: 'moved',
      })
  })

  test('error: a different block, or none', async () => {
    const chain = chainOfTen()
    const other = changing(chain, 'eth_getBlockByNumber', (block: object) => ({
      ...block,
      number: '0x2',
    }))
    await expect(read(other)).rejects.toMatchObject({ fault: 'inconsistent' })
    const none = changing(chain, 'eth_getBlockByNumber', () => ({ number: '0x2' }))
    await expect(read(none)).rejects.toMatchObject({ fault: 'inconsistent' })
    await expect(read(chain.ask, { range: { from: 5, to: 10 } })).rejects.toMatchObject({
      fault: 'moved',
    })
  })

  test('error: a node that truncates results, so that the halves differ', async () => {
    const capped = changing(chainOfTen(), 'eth_getLogs', (logs: RawLog[]) => logs.slice(0, 2))
    for (const isWhole of [true, false])
      await expect(read(capped, { isWhole })).rejects.toMatchObject({ fault: 'inconsistent' })
  })

  test('error: a node that always omits a block whose bloom filter shows logs', async () => {
    const lagging = changing(chainOfTen(), 'eth_getLogs', (logs: RawLog[], { params }) =>
      'blockHash' in (params[0] as object)
        ? logs
        : logs.filter((log) => log['blockNumber'] !== '0x7'),
    )
    await expect(read(lagging)).rejects.toThrow('omitted logs')
    // It does not have the block by its hash either.
    const chain = chainOfTen()
    const unknowing: AskNode = async (calls) =>
      calls.map((call) =>
        chain.answer(call, call.method === 'eth_getLogs' ? chain.blocks.slice(0, 7) : chain.blocks),
      )
    await expect(read(unknowing)).rejects.toMatchObject({ fault: 'moved' })
  })

  test('error: a log that is not in the bloom filter of its block', async () => {
    const chain = chainOfTen()
    const bloom = `0x${'0'.repeat(511)}1`
    const denying = changing(chain, 'eth_getBlockByNumber', (block: { number: Hex }) =>
      block.number === '0x7' ? { ...block, logsBloom: bloom } : block,
    )
    await expect(read(denying)).rejects.toThrow('bloom filter')
  })

  test.each([
    ['connect', 'unreachable'],
    ['auth', 'unreachable'],
    ['rate_limited', 'rate_limited'],
    ['too_large', 'refused'],
    ['server', 'refused'],
    ['timeout', 'refused'],
    ['not_ready', 'moved'],
  ] as const)('error: logs that fail with %s are %s', async (failure, fault) => {
    const chain = chainOfTen()
    const ask: AskNode = async (calls) =>
      calls.map((call) =>
        call.method === 'eth_getLogs' ? { ok: false, failure } : chain.answer(call),
      )
    await expect(read(ask)).rejects.toMatchObject({ fault })
  })
})
