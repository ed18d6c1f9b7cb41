import fc from 'fast-check'
import { type Address, concat, type Hex, pad, toEventSelector, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { createFakeLogChain, type FakeLog } from '../../test/fakeLogChain.js'
import { followPools } from './followPools.js'
import { hintedTopics } from './hintedEvents.js'
import { openPoolStore } from './PoolStore.js'
import { poolTopics } from './poolEvents.js'

const chainId = 8453
const v2Factory: Address = '0x00000000000000000000000000000000000000f2'
const v3Factory: Address = '0x00000000000000000000000000000000000000f3'
const factories = [v2Factory, v3Factory]

const idOf = (number: number) => pad(toHex(number), { size: 32 })

type Event = { factory: Address; token0: Address; token1: Address; pool: Address }
function logOf({ factory, pool, token0, token1 }: Event): FakeLog {
  const isV2 = factory === v2Factory
  const words = isV2 ? [pad(pool), pad('0x01')] : [pad('0x0a'), pad(pool)]
  return {
    address: factory,
    topics: [poolTopics[isV2 ? 0 : 1]!, pad(token0), pad(token1), ...(isV2 ? [] : [pad('0x01f4')])],
    data: `0x${words.map((word) => word.slice(2)).join('')}`,
  }
}

function addressOf(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}`
}

function eventOf(number: number, factory: Address = v2Factory): Event {
  const [a, b] = [100 + (number % 7), 200 + (number % 11)]
  return { factory, token0: addressOf(a), token1: addressOf(b), pool: addressOf(10_000 + number) }
}

describe('followPools', () => {
  test('default: indexes pools of both kinds of factory, and their tokens as neighbors', async () => {
    const chain = createFakeLogChain()
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
    chain.mine([logOf(pair)])
    chain.mine([logOf(pool)])
    const store = openPoolStore(':memory:')
    const cursor = await followPools({ ask: chain.ask, store, chainId, factories })
    expect(cursor).toMatchObject({ number: 2, hash: chain.blocks[2]!.hash })
    expect(store.count(chainId)).toBe(2)
    expect(store.neighbors(chainId, addressOf(2), 10)).toEqual([addressOf(1), addressOf(3)])
    expect(store.neighbors(chainId, addressOf(1), 10)).toEqual([addressOf(2)])
    expect(store.neighbors(1, addressOf(1), 10)).toEqual([])
  })

  test('behavior: reads what a factory had created before it was followed', async () => {
    const chain = createFakeLogChain()
    chain.mine([logOf(eventOf(1, v3Factory)), logOf(eventOf(2))])
    const store = openPoolStore(':memory:')
    await followPools({ ask: chain.ask, store, chainId, factories: [v2Factory] })
    chain.mine([logOf(eventOf(3, v3Factory))])
    await followPools({ ask: chain.ask, store, chainId, factories: [v2Factory] })
    expect(store.countByFactory(chainId)).toEqual(new Map([[v2Factory, 1]]))
    await followPools({ ask: chain.ask, store, chainId, factories })
    const all = new Map([[v2Factory, 1] as const, [v3Factory, 2] as const])
    expect(store.countByFactory(chainId)).toEqual(all)

    // Blocks are read once: the factories are known from here on.
    const read = chain.calls.get('eth_getLogs')
    await followPools({ ask: chain.ask, store, chainId, factories: [v2Factory] })
    expect(chain.calls.get('eth_getLogs')).toBe(read)
  })

  test('behavior: skips logs that announce no valid pool', async () => {
    const chain = createFakeLogChain()
    const { topics, ...log } = logOf(eventOf(1))
    chain.mine([
      { ...log, topics: topics.slice(0, 2) },
      { ...log, topics, data: '0x' },
      logOf(eventOf(2)),
    ])
    const store = openPoolStore(':memory:')
    await followPools({ ask: chain.ask, store, chainId, factories })
    expect(store.count(chainId)).toBe(1)
  })

  test('behavior: indexes pools that are found only as hints, and forgets those of a dropped block', async () => {
    const chain = createFakeLogChain()
    const [created, registered] = hintedTopics as [Hex, Hex]
    const announce = (topic: Hex, pool: Address, address: Address = v2Factory): FakeLog => ({
      address,
      topics: [topic, pad(pool)],
      data: '0x',
    })
    chain.mine([announce(created, addressOf(5)), announce(registered, addressOf(6), v3Factory)])
    chain.mine([
      announce(registered, addressOf(7), addressOf(1)),
      { ...announce(created, addressOf(8)), topics: [created, pad('0x08', { dir: 'right' })] },
    ])
    chain.mine([announce(registered, addressOf(9), v3Factory)])
    const store = openPoolStore(':memory:')
    await followPools({ ask: chain.ask, store, chainId, factories })
    const first = { pool: addressOf(5), registry: v2Factory, shape: 'balancerV2', blockNumber: 1 }
    const second = { pool: addressOf(6), registry: v3Factory, shape: 'balancerV3', blockNumber: 1 }
    const third = { ...second, pool: addressOf(9), blockNumber: 3 }
    expect(store.hinted(chainId)).toEqual([first, second, third])
    expect(store.countByFactory(chainId).get(v3Factory)).toBe(2)
    expect(store.count(chainId)).toBe(0)
    chain.drop(1)
    chain.mine([])
    await followPools({ ask: chain.ask, store, chainId, factories })
    expect(store.hinted(chainId)).toEqual([first, second])
  })

  test('behavior: tells pools of Uniswap V4 apart by their hooks, and leaves out those of Infinity with hooks in swaps', async () => {
    const chain = createFakeLogChain()
    const [v4, infinity] = [
      'Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)',
      'Initialize(bytes32,address,address,address,uint24,bytes32,uint160,int24)',
    ].map(toEventSelector) as [Hex, Hex]
    const announce = (topic: Hex, id: number, words: readonly Hex[]): FakeLog => ({
      address: v3Factory,
      topics: [topic, idOf(id), pad(addressOf(1)), pad(addressOf(2))],
      data: concat(words.map((word) => pad(word))),
    })
    const [none, hooks, dynamic] = ['0x', '0x80', '0x800000'] as const
    chain.mine([
      announce(v4, 1, ['0x01f4', '0x0a', none, '0x01', none]),
      announce(v4, 2, [dynamic, '0x0a', hooks, '0x01', none]),
      // A hook at the pool's creation, then one in swaps, and an event that is cut off.
      announce(infinity, 3, [hooks, '0x64', '0x0a0001', '0x01', none]),
      announce(infinity, 4, [hooks, '0x64', '0x0a0040', '0x01', none]),
      announce(infinity, 5, [none, '0x64']),
      // A hook before swaps that sets amounts, one that does so after swaps only, and one whose flags a float would round away.
      announce(v4, 6, [dynamic, '0x0a', '0x88', '0x01', none]),
      announce(v4, 7, [dynamic, '0x0a', '0x84', '0x01', none]),
      announce(v4, 8, [dynamic, '0x0a', `0x${'e5'.repeat(18)}0088`, '0x01', none]),
    ])
    const store = openPoolStore(':memory:')
    await followPools({ ask: chain.ask, store, chainId, factories })
    const found = store.page(chainId, undefined, 10)
    expect(found.map(({ feePips, pool, shape }) => [pool, shape, feePips])).toEqual([
      [idOf(1), 'singleton', 500],
      [idOf(2), 'hooked', 0],
      [idOf(3), 'infinity', 100],
      [idOf(6), 'customCurve', 0],
      [idOf(7), 'hooked', 0],
      [idOf(8), 'customCurve', 0],
    ])
  })

  test('property: after any reorganizations the index matches the final chain', async () => {
    const step = fc.record({ drop: fc.nat(64), add: fc.integer({ min: 1, max: 80 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        const chain = createFakeLogChain()
        const store = openPoolStore(':memory:')
        let made = 0
        for (const { drop, add } of steps) {
          chain.drop(drop)
          for (let count = 0; count < add; count++) {
            made++
            const factory = made % 2 === 0 ? v2Factory : v3Factory
            chain.mine(made % 3 === 0 ? [] : [logOf(eventOf(made, factory))])
          }
          await followPools({ ask: chain.ask, store, chainId, factories })
        }
        expect(store.count(chainId)).toBe(chain.blocks.flatMap(({ logs }) => logs).length)
        store.close()
      }),
      { seed: 51, numRuns: 60 },
    )
  })
})
