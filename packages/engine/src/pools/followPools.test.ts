import fc from 'fast-check'
import { type Address, type Hex, keccak256, pad, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Ask, followPools } from './followPools.js'
import { openPoolStore } from './PoolStore.js'
import { poolTopics } from './poolEvents.js'

const chainId = 8453
const v2Factory: Address = '0x00000000000000000000000000000000000000f2'
const v3Factory: Address = '0x00000000000000000000000000000000000000f3'
const factories = [v2Factory, v3Factory]

type Event = { factory: Address; token0: Address; token1: Address; pool: Address }
type Block = { hash: Hex; events: Event[] }

/** A chain in memory that answers the two calls that the index makes, and counts them. */
function createChain(options: { mostSpan?: number } = {}) {
  const blocks: Block[] = [{ hash: hashOf('genesis'), events: [] }]
  let calls = 0
  const ask: Ask = async (method, params) => {
    calls++
    if (method === 'eth_getBlockByNumber') {
      const number = params[0] === 'latest' ? blocks.length - 1 : Number(params[0])
      const block = blocks[number]
      return block ? { number: toHex(number), hash: block.hash } : null
    }
    const [filter] = params as [
      { fromBlock: Hex; toBlock: Hex; address: Address[]; topics: Hex[][] },
    ]
    const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)]
    if (to - from + 1 > (options.mostSpan ?? 1e9)) throw new Error('range too large')
    expect(filter.topics).toEqual([poolTopics])
    return blocks
      .slice(from, to + 1)
      .flatMap(({ events }, index) =>
        events
          .filter(({ factory }) => filter.address.includes(factory))
          .map((event) => logOf(event, from + index)),
      )
  }
  return { ask, blocks, calls: () => calls }
}

function logOf({ factory, pool, token0, token1 }: Event, number: number) {
  const isV2 = factory === v2Factory
  const words = isV2 ? [pad(pool), pad('0x01')] : [pad('0x0a'), pad(pool)]
  return {
    address: factory,
    topics: [poolTopics[isV2 ? 0 : 1]!, pad(token0), pad(token1), ...(isV2 ? [] : [pad('0x01f4')])],
    data: `0x${words.map((word) => word.slice(2)).join('')}`,
    blockNumber: toHex(number),
  }
}

function hashOf(text: string): Hex {
  return keccak256(toHex(text))
}

function addressOf(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}`
}

function eventOf(number: number, factory: Address = v2Factory): Event {
  const [a, b] = [100 + (number % 7), 200 + (number % 11)]
  return { factory, token0: addressOf(a), token1: addressOf(b), pool: addressOf(10_000 + number) }
}

describe('followPools', () => {
  test('default: pools of both kinds of factory, and their tokens as neighbours', async () => {
    const { ask, blocks } = createChain()
    const pair = {
      factory: v2Factory,
      token0: addressOf(1),
      token1: addressOf(2),
      pool: addressOf(9),
    }
    const pool = {
      factory: v3Factory,
      token0: addressOf(2),
      token1: addressOf(3),
      pool: addressOf(8),
    }
    blocks.push({ hash: hashOf('a'), events: [pair] }, { hash: hashOf('b'), events: [pool] })
    const store = openPoolStore(':memory:')
    const cursor = await followPools({ ask, store, chainId, factories })
    expect(cursor).toEqual({ number: 2, hash: hashOf('b') })
    expect(store.count(chainId)).toBe(2)
    expect(store.neighbours(chainId, addressOf(2), 10)).toEqual([addressOf(1), addressOf(3)])
    expect(store.neighbours(chainId, addressOf(1), 10)).toEqual([addressOf(2)])
    expect(store.neighbours(1, addressOf(1), 10)).toEqual([])
  })

  test('behavior: resumes where it stopped, and asks for less where the node refuses', async () => {
    const { ask, blocks, calls } = createChain({ mostSpan: 3 })
    for (let number = 1; number <= 40; number++)
      blocks.push({ hash: hashOf(`${number}`), events: [eventOf(number)] })
    const store = openPoolStore(':memory:')
    await followPools({ ask, store, chainId, factories })
    expect(store.count(chainId)).toBe(40)
    const before = calls()
    blocks.push({ hash: hashOf('41'), events: [eventOf(41)] })
    await followPools({ ask, store, chainId, factories })
    expect(store.count(chainId)).toBe(41)
    // Latest, the cursor's block, one range.
    expect(calls() - before).toBe(3)
  })

  test('error: a node that gives no logs at all is not an empty chain', async () => {
    const { ask, blocks } = createChain({ mostSpan: 0 })
    blocks.push({ hash: hashOf('1'), events: [eventOf(1)] })
    const store = openPoolStore(':memory:')
    await expect(followPools({ ask, store, chainId, factories })).rejects.toThrow('no logs')
    expect(store.cursor(chainId)).toBeUndefined()
  })

  test('property: after any reorganisations the index is that of the final chain', async () => {
    const step = fc.record({ drop: fc.nat(64), add: fc.integer({ min: 1, max: 80 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        const { ask, blocks } = createChain()
        const store = openPoolStore(':memory:')
        let made = 0
        for (const { drop, add } of steps) {
          blocks.length = Math.max(1, blocks.length - drop)
          for (let count = 0; count < add; count++) {
            made++
            const factory = made % 2 === 0 ? v2Factory : v3Factory
            const events = made % 3 === 0 ? [] : [eventOf(made, factory)]
            blocks.push({ hash: hashOf(`block ${made}`), events })
          }
          await followPools({ ask, store, chainId, factories })
        }
        expect(store.count(chainId)).toBe(blocks.flatMap(({ events }) => events).length)
        store.close()
      }),
      { seed: 51, numRuns: 60 },
    )
  })
})
