import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type StatsResponse, statsResponse } from '@sluice/api'
import { Deployments, Events } from '@sluice/domain'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deployments } from '../../domain/test/deployments.js'
import { createFakeLogChain, type FakeLogChain } from '../../engine/test/fakeLogChain.js'
import { startLogNode } from '../../engine/test/startLogNode.js'
import { routers, swapLogs, traderAt } from '../../engine/test/swapLogs.js'
import type { TextServer } from '../../rpc/test/startTextServer.js'
import { ask, startService } from '../test/harness.js'

const base = deployments.chains['8453']!
const contracts = base.versions['1.0.0']!
const twoGenerations = Deployments.parse({
  schema: 1,
  chains: {
    ...deployments.chains,
    '8453': {
      ...base,
      versions: {
        '1.0.0': { ...contracts, router: routers['1.0.0'] },
        '2.0.0': { ...contracts, router: routers['2.0.0'] },
      },
    },
  },
})

let chain: FakeLogChain
let node: TextServer

beforeEach(async () => {
  chain = createFakeLogChain()
  chain.mine([...swapLogs('1.0.0', traderAt(1)), ...swapLogs('2.0.0', traderAt(2))])
  chain.mine(swapLogs('1.0.0', traderAt(1), { isSurplus: true }))
  node = await startLogNode(chain)
})

afterEach(() => node.close())

const start = (changes = {}) =>
  startService({
    deployments: twoGenerations,
    rpcUrls: new Map([
      [8_453, [node.url]],
      [1, ['http://127.0.0.1:1']],
    ]),
    swapIndex: { path: ':memory:' },
    swapIndexMs: 50,
    ...changes,
  })

async function statsOf(url: string) {
  const { body, headers, status } = await ask(`${url}/api/stats`)
  expect(status).toBe(200)
  return { headers, stats: statsResponse.parse(body) as StatsResponse }
}

/** Polls until Base has been read. */
async function untilRead(url: string) {
  await expect
    .poll(async () => (await statsOf(url)).stats.totals.chainsOk, { timeout: 20_000 })
    .toBe(1)
  return await statsOf(url)
}

describe('GET /api/stats', () => {
  test('default: figures and how to reproduce them; none for chains that were not read', async () => {
    const { url } = await start()
    const { stats } = await untilRead(url)
    const hash = (number: number) => chain.blocks[number]!.hash
    expect(stats.totals).toEqual({
      fills: 3,
      uniqueTraders: 2,
      chainsOk: 1,
      chainsTotal: 4,
      measured: true,
    })
    const entry = (chainId: number) => stats.chains.find((each) => each.chainId === chainId)!
    expect(entry(8_453)).toEqual({
      chainId: 8_453,
      name: 'Base',
      ok: true,
      fills: 3,
      uniqueTraders: 2,
      daily: { blocks: 43_200, fills: [...Array<number>(29).fill(0), 3] },
      fromBlock: 0,
      toBlock: 2,
      toBlockHash: hash(2),
      headBlock: 2,
      lagBlocks: 0,
      progress: 1,
      readAt: expect.any(Number),
      events: { Swap: 3, ExecutionProof: 1, Fee: 1, Surplus: 1 },
      routers: [
        { version: '1.0.0', address: twoGenerations.chains['8453']!.versions['1.0.0']!.router },
        { version: '2.0.0', address: twoGenerations.chains['8453']!.versions['2.0.0']!.router },
      ],
      filter: {
        address: Object.values(twoGenerations.chains['8453']!.versions).map(({ router }) => router),
        topics: [Events.all.Swap.topic0],
        fromBlock: '0x0',
        toBlock: '0x2',
      },
    })
    const nothing = {
      fills: null,
      uniqueTraders: null,
      daily: null,
      fromBlock: null,
      toBlock: null,
      toBlockHash: null,
      headBlock: null,
      lagBlocks: null,
      progress: null,
      readAt: null,
      events: null,
      filter: null,
    }
    expect(entry(1)).toMatchObject({ ...nothing, ok: false, code: 'not_deployed' })
    expect(entry(42_161)).toMatchObject({ ...nothing, ok: false, code: 'no_node' })
    expect(entry(31_337)).toMatchObject({ ...nothing, ok: false, code: 'not_deployed' })
  })

  test('behavior: cached for five minutes, with an entity tag and without node requests', async () => {
    const { url } = await start({ swapIndexMs: 60_000 })
    const { headers, stats } = await untilRead(url)
    const [, maxAge, shared] =
      /^public, max-age=(\d+), s-maxage=(\d+), stale-while-revalidate=600, stale-if-error=3600$/
        .exec(headers.get('cache-control')!)!
        .map(Number)
    expect(maxAge).toBe(60)
    expect(shared).toBeGreaterThan(280)
    expect(shared).toBeLessThanOrEqual(300)
    const etag = headers.get('etag')!
    chain.mine(swapLogs('1.0.0', traderAt(9)))
    chain.calls.clear()
    const again = await fetch(`${url}/api/stats`, { headers: { 'if-none-match': etag } })
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag])
    expect((await statsOf(url)).stats).toEqual(stats)
    expect(chain.calls.get('eth_getLogs')).toBeUndefined()
  })

  test('behavior: counts a new swap, and removes one that is reorganized away', async () => {
    const { url } = await start({ statsCacheMs: 10 })
    const totals = async () => {
      const { fills, uniqueTraders } = (await statsOf(url)).stats.totals
      return [fills, uniqueTraders]
    }
    await untilRead(url)
    chain.mine(swapLogs('2.0.0', traderAt(9)))
    await expect.poll(totals, { timeout: 20_000 }).toEqual([4, 3])
    chain.drop(2)
    chain.mine([])
    await expect.poll(totals, { timeout: 20_000 }).toEqual([2, 2])
  })

  test('behavior: no zero if the nodes are gone', async () => {
    const rpcUrls = new Map([[8_453, ['http://127.0.0.1:1']]])
    const { adminPort, log, url } = await start({ rpcUrls, adminPort: 0, logLevel: 'warn' })
    await expect
      .poll(
        async () => (await statsOf(url)).stats.chains.find(({ chainId }) => chainId === 8_453),
        {
          timeout: 20_000,
        },
      )
      .toMatchObject({ ok: false, code: 'rpc_unreachable', fills: null, uniqueTraders: null })
    const { headers, stats } = await statsOf(url)
    expect(stats.totals).toEqual({
      fills: null,
      uniqueTraders: null,
      chainsOk: 0,
      chainsTotal: 3,
      measured: false,
    })
    expect(headers.get('cache-control')).toMatch(/^public, max-age=[1-5], s-maxage=[1-5],/)
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    expect(metrics).toMatch(
      /^sluice_index_failures_total\{chain="8453",reason="rpc_unreachable"\} [1-9]/m,
    )
    expect(log.some((line) => line.includes('indexing swaps failed'))).toBe(true)
  })

  test('behavior: no zero if the store is gone, and its password appears nowhere', async () => {
    const swapIndex = { url: 'postgres://sluice:canary-password@127.0.0.1:1/none' }
    const { log, url } = await start({ swapIndex, logLevel: 'trace' })
    const { stats } = await statsOf(url)
    expect(stats.chains.find(({ chainId }) => chainId === 8_453)).toMatchObject({
      ok: false,
      code: 'store_unreachable',
      fills: null,
    })
    await expect.poll(() => log.join()).toContain('store_unreachable')
    expect(log.join() + JSON.stringify(stats)).not.toContain('canary')
  })

  test('behavior: says so if there is no index', async () => {
    const { url } = await start({ swapIndex: undefined })
    const { stats } = await statsOf(url)
    expect(new Set(stats.chains.map(({ code }) => code))).toEqual(new Set(['index_off']))
    expect(stats.totals).toMatchObject({ fills: null, chainsOk: 0, measured: false })
  })

  test('behavior: the metrics show the progress', async () => {
    const { adminPort, url } = await start({ adminPort: 0 })
    await untilRead(url)
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    expect(metrics).toContain('\nsluice_index_block{chain="8453"} 2\n')
    expect(metrics).toContain('\nsluice_index_lag_blocks{chain="8453"} 0\n')
    expect(metrics).toContain('\nsluice_index_progress_ratio{chain="8453"} 1\n')
  })

  test('behavior: an index in a file resumes where it stopped', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-stats-'))
    const swapIndex = { path: join(folder, 'swaps.db') }
    const first = await start({ swapIndex })
    await untilRead(first.url)
    await first.stop()
    chain.mine(swapLogs('1.0.0', traderAt(7)))
    chain.calls.clear()
    const { url } = await start({ swapIndex, statsCacheMs: 10 })
    await expect
      .poll(async () => (await statsOf(url)).stats.totals.fills, { timeout: 20_000 })
      .toBe(4)
    // Header of the new block and its logs, twice.
    expect(chain.calls.get('eth_getLogs')).toBe(2)
    rmSync(folder, { recursive: true })
  })

  test('error: a file that is not a database', async () => {
    const swapIndex = { path: join(tmpdir(), 'nowhere', 'swaps.db') }
    await expect(start({ swapIndex })).rejects.toThrow(
      'Environment variable SWAP_INDEX names a file that cannot be used as a database.',
    )
  })

  test('error: unknown parameters', async () => {
    const { url } = await start()
    const answer = await ask(`${url}/api/stats?chain=base`)
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_param' } })
  })
})
