import { Redis } from 'ioredis'
import { numberToHex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FakeNode, planOf, startFakeNode } from '../../test/fakeNode.js'
import { engineOn, requestOf } from '../../test/harness.js'
import { type RunningRedis, startRedis } from '../../test/startRedis.js'
import { createShared, type Engine, type Shared } from '../index.js'

let store: RunningRedis
let client: Redis
let node: FakeNode
let processes: { engine: Engine; shared: Shared }[]

async function leftIn(shared: Shared, key: string, points: number, rate: number, burst: number) {
  return (await shared.take(key, points, { rate, burst, isForced: false }))?.left
}

beforeEach(async () => {
  store = await startRedis()
  client = new Redis(store.url, { retryStrategy: () => null })
  client.on('error', () => {})
  node = await startFakeNode()
  // Like two processes: only the store and the node are shared.
  processes = [1, 2].map(() => {
    const shared = createShared({ url: store.url, patienceMs: 1_000 })
    return { shared, engine: engineOn([node], { shared }) }
  })
  for (const { shared } of processes) await expect.poll(() => leftIn(shared, 'r', 0, 1, 1)).toBe(1)
})

afterEach(async () => {
  for (const { engine, shared } of processes) {
    engine.stop()
    shared.stop()
  }
  client.disconnect()
  await node.close()
  await store.stop()
})

const quoteCalls = () => node.calls.get('eth_call') ?? 0
const quote = (index: number, changes = {}) => processes[index]!.engine.quote(requestOf(changes))

describe('two processes', () => {
  test('default: one process asks the node, the other reads the store', async () => {
    expect(await quote(0)).toMatchObject({ cache: 'miss', rpcTried: 1 })
    await expect.poll(async () => (await client.keys('q:*')).length).toBe(1)
    const second = await quote(1)
    expect(second).toMatchObject({
      cache: 'hit',
      rpcTried: 0,
      quote: { plan: { netOut: 1_994_400n } },
    })
    expect(quoteCalls()).toBe(1)
  })

  test('behavior: a process waits for a plan that another one is computing', async () => {
    node.delayMs = 60
    const answers = await Promise.all([quote(0), quote(1), quote(0), quote(1)])
    expect(new Set(answers.map((answer) => answer.quote.plan.netOut))).toEqual(
      new Set([1_994_400n]),
    )
    expect(quoteCalls()).toBe(1)
  })

  test("behavior: a plan of another process tells the gas of its call, if the node's cap lowered it", async () => {
    node.refuse = ({ params: [{ gas }] }) =>
      Number(gas) > 2 ** 24 ? { code: -32_000, message: 'gas limit exceeds maximum' } : undefined
    expect(await quote(0)).toMatchObject({ cache: 'miss', gas: 2n ** 24n })
    await expect.poll(async () => (await client.keys('q:*')).length).toBe(1)
    expect(await quote(1)).toMatchObject({ cache: 'hit', rpcTried: 0, gas: 2n ** 24n })
  })

  test('behavior: a new block needs a new plan', async () => {
    await quote(0)
    node.head++
    await new Promise((resolve) => setTimeout(resolve, 1_050))
    expect(await quote(1)).toMatchObject({ cache: 'miss', block: { number: 101n } })
  })

  test('behavior: quotes for signing or verification are always computed', async () => {
    await quote(0)
    expect(await quote(1, { isExact: true })).toMatchObject({ cache: 'miss' })
    expect(
      await quote(1, { recipient: '0x00000000000000000000000000000000000000AA' }),
    ).toMatchObject({
      cache: 'miss',
    })
  })

  test.each([
    ['junk', () => 'garbage'],
    ['a plan cut short', (value: string) => value.slice(0, -64)],
    ['more gas than calls get', (value: string) => `50000000 ${value}`],
    ['another amount', (value: string) => value.replace('0f4240', '0f4241')],
    [
      'another block',
      (value: string) =>
        value.replace(
          numberToHex(100, { size: 32 }).slice(2),
          numberToHex(99, { size: 32 }).slice(2),
        ),
    ],
  ])('error: %s in the store is ignored', async (_, spoil) => {
    await quote(0)
    await expect.poll(async () => (await client.keys('q:*')).length).toBe(1)
    const [key] = await client.keys('q:*')
    const value = (await client.get(key!))!
    expect(spoil(value)).not.toBe(value)
    await client.set(key!, spoil(value))
    await client.del(...(await client.keys('flight:*')))
    expect(await quote(1)).toMatchObject({ cache: 'miss', quote: { plan: { netOut: 1_994_400n } } })
  })
})

describe('a store that fails', () => {
  test('behavior: no request fails if it is killed under load', async () => {
    node.plan = (ask) => planOf(ask)
    let asked = 0
    const ask = async () => {
      for (let count = 0; count < 60; count++) {
        await quote(count % 2, { amountIn: BigInt(1 + (asked++ % 97)) })
        if (asked === 200) store.stop()
      }
    }
    await Promise.all(Array.from({ length: 10 }, ask))
    expect(asked).toBe(600)
    expect(await leftIn(processes[0]!.shared, 'r', 0, 1, 1)).toBeUndefined()
  })

  test('behavior: is used again after it returns', async () => {
    await store.stop()
    expect(await quote(0)).toMatchObject({ cache: 'miss' })
    store = await startRedis(store.port)
    await expect.poll(() => leftIn(processes[0]!.shared, 'x', 1, 1, 9), { timeout: 8_000 }).toBe(8)
  })

  test('behavior: does not wait for one that hangs', async () => {
    const hasty = createShared({ url: store.url })
    await expect.poll(() => leftIn(hasty, 'y', 0, 1, 1)).toBe(1)
    await client.call('CLIENT', 'PAUSE', '3000', 'ALL')
    const startedAt = performance.now()
    for (let count = 0; count < 20; count++) expect(await hasty.get(['x'])).toEqual([undefined])
    expect(performance.now() - startedAt).toBeLessThan(2_500)
    hasty.stop()
  })
})

describe('a shared bucket of points', () => {
  const take = async (index: number, points: number, isForced = false) => {
    const bucket = { rate: 0.001, burst: 10, isForced }
    const { isGranted, left } = (await processes[index]!.shared.take('b', points, bucket))!
    return [isGranted, Math.round(left)]
  }

  test('default: takes points from the same bucket in both processes', async () => {
    expect(await take(0, 4)).toEqual([true, 6])
    expect(await take(1, 7)).toEqual([false, 6])
    expect(await take(1, 6)).toEqual([true, 0])
    expect(await take(0, 1)).toEqual([false, 0])
  })

  test('behavior: concurrent takes never exceed the points', async () => {
    const taken = await Promise.all(Array.from({ length: 40 }, (_, index) => take(index % 2, 5)))
    expect(taken.filter(([isGranted]) => isGranted)).toHaveLength(2)
  })

  test('behavior: a full bucket grants any amount, and the debt is at most one bucket', async () => {
    expect(await take(0, 35)).toEqual([true, -10])
    expect(await take(0, 35, true)).toEqual([true, -10])
    expect(await take(1, -50, true)).toEqual([true, 10])
  })
})
