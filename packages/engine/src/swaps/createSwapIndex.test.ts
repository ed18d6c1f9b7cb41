import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFakeLogChain, type FakeBlock, type FakeLogChain } from '../../test/fakeLogChain.js'
import { faultyNode, type Rates } from '../../test/faultyNode.js'
import { randomFrom } from '../../test/randomFrom.js'
import { type RunningPostgres, startPostgres } from '../../test/startPostgres.js'
import { followed, recount, swapLogs, traderAt } from '../../test/swapLogs.js'
import type { AskNode } from '../logs/AskNode.js'
import { createSwapIndex, type SwapIndexConfig } from './createSwapIndex.js'
import type { SwapProgress } from './Progress.js'
import { openSwapStore } from './SwapStore.js'

type Where = Parameters<typeof openSwapStore>[0]

const folder = mkdtempSync(join(tmpdir(), 'sluice-swaps-'))
let postgres: RunningPostgres
let files = 0

beforeAll(async () => {
  postgres = await startPostgres()
})

afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const stores: Record<string, () => Promise<Where>> = {
  'an embedded store': async () => ({ path: join(folder, `${++files}.db`) }),
  Postgres: async () => ({ url: await postgres.createDatabase() }),
}

const chainId = 8_453
const clock = { now: 1_700_000_000_000 }
/** So few blocks a day that a test has many days. */
const [dayMs, dayBlocks] = [86_400_000, 7]

/** A process with an index, on nodes of one chain or more. */
function open(
  where: Where,
  nodes: ReadonlyMap<number, readonly AskNode[]>,
  changes: Partial<SwapIndexConfig> = {},
) {
  const store = openSwapStore(where)
  const chains = new Map(
    [...nodes.keys()].map((id) => [
      id,
      { name: `Chain ${id}`, blockTimeMs: dayMs / dayBlocks, routers: followed },
    ]),
  )
  return createSwapIndex(
    (id) => nodes.get(id),
    { store, chains, ...changes },
    () => clock.now,
  )
}

/** A process on one healthy node. */
const openOn = (where: Where, chain: FakeLogChain, changes?: Partial<SwapIndexConfig>) =>
  open(where, new Map([[chainId, [chain.ask]]]), changes)

/** Mines blocks with up to `most` swaps each, of both generations and few traders. */
function mine(chain: FakeLogChain, count: number, most: number, random: () => number) {
  const pick = (below: number) => Math.floor(random() * below)
  let swaps = 0
  for (let block = 0; block < count; block++) {
    const fills = Array.from({ length: random() < 0.3 ? pick(most + 1) : 0 }, () =>
      swapLogs(random() < 0.5 ? '1.0.0' : '2.0.0', traderAt(pick(400)), {
        isSurplus: random() < 0.3,
      }),
    )
    swaps += fills.length
    chain.mine(fills.flat())
  }
  return swaps
}

/**
 * Mines, reorganizes, fails and restarts at random, then lets the last process catch up on a healthy node.
 *
 * @returns Number of swaps mined in all, including dropped ones, and the largest number in the index before.
 */
async function simulate(
  where: Where,
  options: { seed: number; steps: number; most: number; rates: Rates },
) {
  const { most, rates, seed, steps } = options
  const random = randomFrom(seed)
  const pick = (below: number) => Math.floor(random() * below)
  const chain = createFakeLogChain()
  let stale: readonly FakeBlock[] = [...chain.blocks]
  const faulty = faultyNode(chain, rates, random, () => stale)
  const nodes = new Map([[chainId, [faulty]]])
  let index = open(where, nodes)
  let [swaps, held] = [0, 0]
  for (let step = 0; step < steps; step++) {
    const action = random()
    if (action < 0.5) swaps += mine(chain, 1 + pick(120), most, random)
    else if (action < 0.65) {
      stale = [...chain.blocks]
      const depth = 1 + pick(200)
      chain.drop(depth)
      swaps += mine(chain, pick(depth + 20), most, random)
    } else if (action < 0.72) {
      await index.stop()
      index = open(where, nodes)
    } else if (action < 0.78) {
      // Killed during a round: its node stops answering, and the claim is not released.
      const { ask, hung } = answering(faulty, 1 + pick(6))
      await index.stop()
      await Promise.race([hung, open(where, new Map([[chainId, [ask]]])).look()])
      clock.now += 61_000
      index = open(where, nodes)
    } else {
      await index.look()
      const [found] = (await index.stats()).chains
      held = Math.max(held, found!.figures?.events.Swap ?? 0)
    }
    clock.now += 1_000
  }
  await index.stop()
  index = openOn(where, chain)
  clock.now += 61_000
  for (let round = 0; round < 3; round++) await index.look()
  const stats = await index.stats()
  await index.stop()
  return { chain, stats, swaps, held }
}

/** Answers this many requests. The next one is never answered; `hung` resolves then. */
function answering(ask: AskNode, count: number): { ask: AskNode; hung: Promise<void> } {
  let left = count
  let hang = () => {}
  const hung = new Promise<void>((resolve) => {
    hang = resolve
  })
  return {
    hung,
    ask(calls) {
      if (left-- > 0) return ask(calls)
      hang()
      return new Promise(() => {})
    },
  }
}

/** Swaps of the last 30 ranges of blocks, counted from the chain. */
function recountDays(blocks: readonly FakeBlock[]): readonly number[] {
  return Array.from({ length: 30 }, (_, day) => {
    const end = blocks.length - (29 - day) * dayBlocks
    return recount(blocks.slice(Math.max(0, end - dayBlocks), Math.max(0, end))).events.Swap
  })
}

const allFaults: Rates = {
  fails: 0.05,
  truncates: 0.03,
  duplicates: 0.03,
  reorders: 0.02,
  removes: 0.02,
  forks: 0.06,
  lags: 0.06,
}

describe.each(Object.entries(stores))('on %s', (_, place) => {
  test('default: counts events of both generations, and each trader once', async () => {
    const chain = createFakeLogChain()
    chain.mine([...swapLogs('1.0.0', traderAt(1)), ...swapLogs('2.0.0', traderAt(2))])
    chain.mine([])
    chain.mine(swapLogs('1.0.0', traderAt(1), { isSurplus: true }))
    const index = openOn(await place(), chain)
    await index.look()
    expect(await index.stats()).toEqual({
      measuredAt: clock.now,
      isLast: false,
      traders: 2,
      chains: [
        {
          chainId,
          name: 'Chain 8453',
          routers: followed,
          fault: undefined,
          figures: { events: { Swap: 3, Surplus: 1, Fee: 1, ExecutionProof: 1 }, traders: 2 },
          daily: { blocks: 7, fills: [...Array<number>(29).fill(0), 3] },
          firstBlock: 0,
          cursor: { number: 3, hash: chain.blocks[3]!.hash },
          head: 3,
          reachedAt: clock.now,
        },
      ],
    })
    await index.stop()
  })

  test('behavior: the most frequent pairs, with a typical amount', async () => {
    const chain = createFakeLogChain()
    const [sold, rare] = [traderAt(7), traderAt(8)]
    chain.mine(swapLogs('1.0.0', traderAt(1), { sold: rare, amountIn: 3n }))
    for (const amountIn of [5n, 2n ** 255n, 70n])
      chain.mine(swapLogs('2.0.0', traderAt(2), { sold, amountIn }))
    const index = openOn(await place(), chain)
    expect(await index.usualTrades(chainId)).toEqual([])
    await index.look()
    const tokenOut = `0x${'b2'.padStart(40, '0')}`
    expect(await index.usualTrades(chainId)).toEqual([
      { tokenIn: sold, tokenOut, amountIn: 70n },
      { tokenIn: rare, tokenOut, amountIn: 3n },
    ])
    expect(await index.usualTrades(1)).toEqual([])
    await index.stop()
    // Empty if the store does not answer.
    expect(await index.usualTrades(chainId)).toEqual([])
  })

  test('behavior: a trader on two chains counts once; a chain that fails has no figures', async () => {
    const [first, second, third] = [1, 10, 42_161].map((id) =>
      createFakeLogChain({ chainId: id }),
    ) as [FakeLogChain, FakeLogChain, FakeLogChain]
    first.mine([...swapLogs('1.0.0', traderAt(1)), ...swapLogs('1.0.0', traderAt(2))])
    second.mine(swapLogs('2.0.0', traderAt(2)))
    const silent: AskNode = async (calls) => calls.map(() => ({ ok: false, failure: 'connect' }))
    const where = await place()
    const nodes = new Map([
      [1, [silent, first.ask]],
      [10, [second.ask]],
      [42_161, [silent]],
    ])
    const failures: unknown[] = []
    const index = open(where, nodes, { onFailure: (failure) => failures.push(failure) })
    await index.look()
    const stats = await index.stats()
    expect(
      stats.chains.map(({ fault, figures }) => [fault, figures?.events.Swap, figures?.traders]),
    ).toEqual([
      [undefined, 2, 2],
      [undefined, 1, 1],
      ['rpc_unreachable', undefined, undefined],
    ])
    expect(stats.traders).toBe(2)
    expect(failures).toEqual([{ chainId: 42_161, fault: 'rpc_unreachable' }])
    await index.stop()
    // Figures from before the nodes were lost stay valid for ten minutes.
    const later = open(
      where,
      new Map([
        [1, [silent]],
        [10, [silent]],
        [42_161, [third.ask]],
      ]),
    )
    await later.look()
    expect((await later.stats()).chains.map(({ fault }) => fault)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    clock.now += 600_001
    expect((await later.stats()).chains.map(({ fault, figures }) => [fault, figures])).toEqual([
      ['rpc_unreachable', undefined],
      ['rpc_unreachable', undefined],
      ['syncing', undefined],
    ])
    expect((await later.stats()).traders).toBeUndefined()
    await later.stop()
  })

  test('error: a node of another chain, whose Routers have the same addresses', async () => {
    const chain = createFakeLogChain({ chainId: 1 })
    chain.mine(swapLogs('1.0.0', traderAt(1)))
    const index = openOn(await place(), chain)
    await index.look()
    expect((await index.stats()).chains[0]).toMatchObject({
      fault: 'rpc_inconsistent',
      figures: undefined,
      firstBlock: undefined,
    })
    await index.stop()
  })

  test('behavior: reports a long round every five seconds', async () => {
    const chain = createFakeLogChain()
    for (let block = 0; block < 1_000; block++) chain.mine([])
    const slow: AskNode = async (calls) => {
      clock.now += 2_000
      return await chain.ask(calls)
    }
    const told: SwapProgress[] = []
    const index = open(await place(), new Map([[chainId, [slow]]]), {
      onProgress: (progress) => told.push(progress),
    })
    await index.look()
    const head = 1_000
    expect(told).toEqual([
      { chainId, head, block: 255, part: 256 / 1_001 },
      { chainId, head, block: 639, part: 640 / 1_001 },
      { chainId, head, block: 1_000, part: 1 },
    ])
    expect(index.progress()).toEqual([told.at(-1)])
    await index.stop()
  })

  test('behavior: a long round keeps other processes away', async () => {
    const chain = createFakeLogChain()
    for (let block = 0; block < 1_000; block++) chain.mine([])
    const where = await place()
    const other = openOn(where, chain)
    let asked = 0
    const slow: AskNode = async (calls) => {
      clock.now += 20_000
      if (asked++ === 7) {
        // The last step's write, which nobody awaited, is finished by now.
        await new Promise((resolve) => setTimeout(resolve, 200))
        await other.look()
        expect(other.progress()).toEqual([])
      }
      return await chain.ask(calls)
    }
    const index = open(where, new Map([[chainId, [slow]]]))
    await index.look()
    expect(asked).toBeGreaterThan(8)
    expect(index.progress()).toMatchObject([{ part: 1 }])
    await index.stop()
    await other.stop()
  })

  test('behavior: adding a generation restarts the index', async () => {
    const chain = createFakeLogChain()
    chain.mine([...swapLogs('1.0.0', traderAt(1)), ...swapLogs('2.0.0', traderAt(2))])
    const where = await place()
    const before = createSwapIndex(
      () => [chain.ask],
      {
        store: openSwapStore(where),
        chains: new Map([[chainId, { name: '', routers: followed.slice(0, 1) }]]),
      },
      () => clock.now,
    )
    await before.look()
    expect((await before.stats()).chains[0]!.figures!.events.Swap).toBe(1)
    await before.stop()
    const after = openOn(where, chain)
    expect((await after.stats()).chains[0]).toMatchObject({ fault: 'syncing', figures: undefined })
    await after.look()
    expect((await after.stats()).chains[0]!.figures!.events.Swap).toBe(2)
    await after.stop()
  })

  test('behavior: of two processes one reads the chain, and both report it', async () => {
    const chain = createFakeLogChain()
    chain.mine(swapLogs('1.0.0', traderAt(1)))
    const where = await place()
    const [first, second] = [openOn(where, chain), openOn(where, chain)]
    await first.look()
    const calls = chain.calls.get('eth_getLogs')
    await second.look()
    expect(chain.calls.get('eth_getLogs')).toBe(calls)
    expect(await second.stats()).toEqual(await first.stats())
    // If the first one is silent for a minute, the second takes over. It releases its claim when it stops.
    chain.mine(swapLogs('1.0.0', traderAt(2)))
    clock.now += 60_001
    await second.look()
    expect((await second.stats()).chains[0]!.figures!.traders).toBe(2)
    await second.stop()
    chain.mine(swapLogs('1.0.0', traderAt(3)))
    await first.look()
    expect((await first.stats()).chains[0]!.figures!.traders).toBe(3)
    await first.stop()
  })

  test('property: after any reorganizations, failures and restarts the figures match the chain', async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const options = { seed, steps: 24, most: 3, rates: seed % 3 === 0 ? {} : allFaults }
      const { chain, stats } = await simulate(await place(), options)
      const [swaps] = stats.chains
      expect({ seed, ...swaps!.figures, head: swaps!.cursor?.number }).toEqual({
        seed,
        ...recount(chain.blocks),
        head: chain.blocks.length - 1,
      })
      expect(swaps!.daily).toEqual({ blocks: dayBlocks, fills: recountDays(chain.blocks) })
    }
  }, 300_000)

  test('behavior: ten thousand swaps', async () => {
    const { chain, held, stats, swaps } = await simulate(await place(), {
      seed: 77,
      steps: 160,
      most: 14,
      rates: allFaults,
    })
    const expected = recount(chain.blocks)
    expect(swaps).toBeGreaterThan(10_000)
    expect(held).toBeGreaterThan(5_000)
    expect(stats.chains[0]!.figures).toEqual(expected)
    expect(stats.chains[0]!.daily!.fills).toEqual(recountDays(chain.blocks))
    expect(stats.traders).toBe(expected.traders)
  }, 300_000)
})

test('behavior: if the store hangs, returns the last figures with their time, for an hour', async () => {
  const chain = createFakeLogChain()
  mine(chain, 40, 3, randomFrom(11))
  const store = openSwapStore({ path: ':memory:' })
  let isHung = false
  const index = createSwapIndex(
    () => [chain.ask],
    {
      chains: new Map([[chainId, { name: 'Base', routers: followed }]]),
      store: {
        ...store,
        count: (upToDate) => (isHung ? new Promise(() => {}) : store.count(upToDate)),
      },
    },
    () => clock.now,
  )
  await index.look()
  const before = await index.stats()
  expect(before).toMatchObject({ isLast: false, measuredAt: clock.now })
  isHung = true
  clock.now += 3_599_999
  expect(await index.stats()).toEqual({ ...before, isLast: true })
  clock.now += 1
  expect(await index.stats()).toMatchObject({
    isLast: false,
    measuredAt: clock.now,
    chains: [{ fault: 'store_unreachable', figures: undefined }],
  })
  await index.stop()
})
