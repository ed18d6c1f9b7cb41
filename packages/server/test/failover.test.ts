import { afterEach, describe, expect, test } from 'vitest'
import { type FakeNode, type Fault, startFakeNode } from '../../engine/test/fakeNode.js'
import { type RunningRedis, startRedis } from '../../engine/test/startRedis.js'
import { ask, quotePath, startService } from './harness.js'

let nodes: FakeNode[] = []
let redis: RunningRedis | undefined

afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close()))
  await redis?.stop()
  nodes = []
  redis = undefined
})

/** Two services on the same three nodes and store, with limits that are never reached. */
async function startPair(url: string) {
  nodes = await Promise.all([1, 2, 3].map(() => startFakeNode({ chainId: 8_453n })))
  const changes = {
    rpcUrls: new Map([[8_453, nodes.map((node) => node.url)]]),
    redisUrl: url,
    rateLimit: 1_000_000,
    rateBurst: 10_000_000,
    maxFlights: 1_000,
    adminPort: 0,
  }
  return [await startService(changes), await startService(changes)] as const
}

describe('under load', () => {
  test.each<[string, Fault | 'gone']>([
    ['are gone', 'gone'],
    ['hang', 'hang'],
    ['reset', 'reset'],
    ['are busy', { status: 503 }],
    ['return HTML', 'html'],
  ])(
    'behavior: the store is killed and all nodes but one %s: no request is lost',
    async (_, fault) => {
      redis = await startRedis()
      const services = await startPair(redis.url)
      const [first, second] = nodes as [FakeNode, FakeNode, FakeNode]
      let asked = 0
      let answers = 0
      const lost: unknown[] = []
      const strike = async () => {
        await redis!.stop()
        for (const node of [first, second]) {
          if (fault === 'gone') await node.close()
          else node.fault = fault
        }
      }
      let struck: Promise<void> | undefined
      const caller = async () => {
        while (asked < 400) {
          const index = asked++
          // Every third query was asked before, so that caches are involved too.
          const amount = index % 3 === 0 ? index % 30 : index
          const { body, status } = await ask(`${services[index % 2]!.url}${quotePath}${amount}`)
          if (status !== 200) lost.push({ status, code: body['code'] })
          if (++answers === 150) struck ??= strike()
        }
      }
      await Promise.all(Array.from({ length: 4 }, caller))
      await struck
      expect(answers).toBe(400)
      expect(lost).toEqual([])
    },
  )

  test('behavior: a store that hangs costs at most 20 ms, and then nothing', async () => {
    redis = await startRedis()
    const [{ url }] = await startPair(redis.url)
    expect((await ask(url + quotePath)).status).toBe(200)
    const { Redis } = await import('ioredis')
    const client = new Redis(redis.url)
    await client.call('CLIENT', 'PAUSE', '60000', 'ALL')
    client.disconnect()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => ask(`${url}${quotePath}${index}`)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    // Rate limits continue, counted in this process alone.
    expect(answers[0]!.headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/)
  })
})
