import { createUpstream } from '@sluice/rpc'
import { pad } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tokens } from '../../../domain/test/deployments.js'
import { type Ask, type FakeNode, planOf, startFakeNode } from '../../test/fakeNode.js'
import { registry, requestOf } from '../../test/harness.js'
import { type ChainState, createChainState } from '../ChainState.js'
import { getQuotes, limitsOf, type Wanted } from '../quotes/getQuotes.js'
import type { Hints } from './createHints.js'
import { getHintedQuotes } from './getHintedQuotes.js'
import { noHints } from './HintSet.js'

const hint = tokens.dai
const pool = tokens.usdc
/** The id of a pool with hooks. */
const hooked = pad('0xab', { dir: 'right', size: 32 })
const outOfGas = { code: -32_000, message: 'out of gas' }

let node: FakeNode
let state: ChainState
let doubted: [amountIn: bigint, passed: readonly string[]][]
let improved: bigint[]

beforeEach(async () => {
  node = await startFakeNode()
  state = createChainState({
    chain: registry.get(31_337)!,
    upstreams: [createUpstream({ url: node.url, label: '31337#1' })],
    maxBlockAgeMs: undefined,
    headFreshMs: 1_000,
    maxFlights: 32,
    shared: undefined,
  })
  ;[doubted, improved] = [[], []]
})

afterEach(async () => {
  for (const { agent } of state.upstreams) agent.destroy()
  await node.close()
})

function hintsOf(changes: Partial<Hints> = {}): Hints {
  return {
    known: () => ({ connectors: [hint], pools: [] }),
    improve({ amountIn }) {
      improved.push(amountIn)
    },
    propose: async () => noHints,
    doubt({ amountIn }, passed) {
      doubted.push([amountIn, passed])
    },
    poolsIndexed: () => 1,
    start: () => {},
    stop: () => {},
    ...changes,
  }
}

function ask(hints: Hints, ...requests: Parameters<typeof requestOf>) {
  const wanted = requests.length > 0 ? requests.map((changes) => requestOf(changes)) : [requestOf()]
  const limits = limitsOf(wanted)
  const get = (each: readonly Wanted[]) => getQuotes(state, each, { limits, now: Date.now })
  return getHintedQuotes(get, wanted, { hints, limits })
}

/** A route that pays twice the input, plus `more` with hints. */
function pays(more: bigint) {
  node.plan = (asked: Ask) => {
    const grossOut = 2n * asked.amountIn + (asked.connectors.length > 0 ? more : 0n)
    return planOf(asked, { grossOut })
  }
}

describe('getHintedQuotes', () => {
  test('behavior: learns nothing from a state of the caller, and still uses what is known', async () => {
    const overrides = { [pool]: { balance: '0x1' } } as const
    const proposed: bigint[] = []
    const hints = hintsOf({
      propose: async ({ amountIn }) => {
        proposed.push(amountIn)
        return noHints
      },
    })
    pays(1_000n)
    expect(await ask(hints, { overrides })).toMatchObject([
      { value: { calls: 2, quote: { canExecute: false, request: { connectors: [hint] } } } },
    ])
    node.plan = (asked) => planOf(asked, asked.connectors.length > 0 ? { verdict: 5 } : {})
    await ask(hints, { overrides, isExact: true })
    node.plan = (asked) => planOf(asked, noRoute)
    await ask(hints, { overrides })
    expect([improved, doubted, proposed]).toEqual([[], [], []])
    await ask(hints)
    expect(proposed).toEqual([1_000_000n])
  })

  test('default: quotes without and with hints in one request, and returns the better quote', async () => {
    pays(1_000n)
    const [answer] = await ask(hintsOf())
    expect(answer).toMatchObject({
      ok: true,
      value: { calls: 2, quote: { plan: { route: { grossOut: 2_001_000n } } } },
    })
    expect(answer).toMatchObject({ value: { quote: { request: { connectors: [hint] } } } })
    expect(node.requests).toBe(1)
    expect(Object.fromEntries(node.calls)).toEqual({ eth_getBlockByNumber: 1, eth_call: 2 })
    expect(improved).toEqual([1_000_000n])
  })

  test.each([-1_000n, 0n])('behavior: hints that add %i are left out', async (more) => {
    pays(more)
    const [answer] = await ask(hintsOf())
    expect(answer).toMatchObject({
      value: { quote: { request: { connectors: [] }, plan: { route: { grossOut: 2_000_000n } } } },
    })
  })

  test('behavior: a hint that uses up the gas or reverts does not affect the quote', async () => {
    for (const fault of [outOfGas, { code: 3, message: 'execution reverted' }]) {
      node.plan = (asked) => (asked.connectors.length > 0 ? fault : planOf(asked))
      node.head++
      const [answer] = await ask(hintsOf())
      expect(answer).toMatchObject({ ok: true, value: { rpcTried: 1 } })
    }
    expect(node.requests).toBe(2)
  })

  test('behavior: a hint whose dry run fails is dropped and recorded, if the plain run passes', async () => {
    node.plan = (asked) => {
      const plan = planOf(asked)
      if (asked.connectors.length === 0) return plan
      const [leg] = plan.route.legs
      const legs = [
        { ...leg!, tokenOut: hint },
        { ...leg!, tokenIn: hint },
      ]
      return { ...plan, verdict: 5, hops: 2n, route: { ...plan.route, legs } }
    }
    const hints = hintsOf({ known: () => ({ connectors: [tokens.slu, hint], pools: [] }) })
    const [answer] = await ask(hints, { isExact: true })
    expect(answer).toMatchObject({ value: { quote: { canExecute: true } } })
    expect(doubted).toEqual([[answer!.ok ? answer!.value.quote.request.amountIn : 0n, [hint]]])
  })

  test('behavior: a pool hint is quoted beside the plain request, and named in the quote that wins', async () => {
    node.plan = (asked) =>
      planOf(asked, { grossOut: asked.amountIn * (asked.pools.length > 0 ? 3n : 2n) })
    const hints = hintsOf({ known: () => ({ connectors: [], pools: [pool] }) })
    const [answer] = await ask(hints)
    expect(answer).toMatchObject({
      value: { calls: 2, quote: { request: { pools: [pool] } } },
    })
    expect(node.requests).toBe(1)
  })

  test('behavior: a pool whose dry run fails is dropped and recorded, but not the unused one', async () => {
    node.plan = (asked) => {
      const plan = planOf(asked)
      if (asked.pools.length === 0) return plan
      const legs = plan.route.legs.map((leg) => ({ ...leg, key: (BigInt(pool) << 8n) | 1n }))
      return { ...plan, verdict: 5, route: { ...plan.route, legs } }
    }
    const hints = hintsOf({ known: () => ({ connectors: [], pools: [tokens.slu, pool] }) })
    const [answer] = await ask(hints, { isExact: true })
    expect(answer).toMatchObject({ value: { quote: { canExecute: true } } })
    expect(answer).not.toMatchObject({
      value: { quote: { request: { pools: expect.anything() } } },
    })
    expect(doubted).toEqual([[1_000_000n, [pool]]])
  })

  test.each([
    [11_000n, false],
    [11_500n, true],
  ])(
    'behavior: a route of %i ten-thousandths through a pool with hooks wins only with its floor: %s',
    async (part, wins) => {
      // The plain route pays 10,950, and the floor is one to two percent below what the other pays.
      node.plan = (asked) => {
        const parts = asked.pools.length > 0 ? part : 10_950n
        const plan = planOf(asked, { grossOut: (asked.amountIn * parts) / 10_000n })
        if (asked.pools.length === 0) return plan
        const legs = plan.route.legs.map((leg) => ({ ...leg, key: (BigInt(hooked) >> 56n) << 8n }))
        return { ...plan, route: { ...plan.route, legs } }
      }
      const hints = hintsOf({ known: () => ({ connectors: [], pools: [hooked] }) })
      const [answer] = await ask(hints)
      const pools = answer!.ok ? answer!.value.quote.request.pools : 'no answer'
      expect(pools).toEqual(wins ? [hooked] : undefined)
    },
  )

  test('behavior: identical concurrent callers share both calls', async () => {
    pays(1_000n)
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(hintsOf())))
    for (const [answer] of answers)
      expect(answer).toMatchObject({ value: { quote: { request: { connectors: [hint] } } } })
    expect(node.requests).toBe(1)
  })

  test('behavior: both plans are cached for the block', async () => {
    pays(1_000n)
    await ask(hintsOf())
    const [again] = await ask(hintsOf())
    expect(again).toMatchObject({
      value: { cache: 'hit', quote: { request: { connectors: [hint] } } },
    })
    expect(node.requests).toBe(1)
  })

  test('behavior: a caller who names connectors gets only those', async () => {
    const [answer] = await ask(hintsOf(), { connectors: [tokens.slu] })
    expect(answer).toMatchObject({ value: { quote: { request: { connectors: [tokens.slu] } } } })
    expect(node.calls.get('eth_call')).toBe(1)
    expect(improved).toEqual([])
  })

  test('behavior: a caller who names pools gets only those', async () => {
    const [answer] = await ask(hintsOf(), { pools: [pool] })
    expect(answer).toMatchObject({
      value: { quote: { request: { connectors: [], pools: [pool] } } },
    })
    expect(node.calls.get('eth_call')).toBe(1)
    expect(improved).toEqual([])
  })

  test('behavior: waits for a route that only a search for hints finds', async () => {
    node.plan = (asked) => (asked.connectors.length > 0 ? planOf(asked) : planOf(asked, noRoute))
    const hints = hintsOf({
      known: () => noHints,
      propose: async () => ({ connectors: [hint], pools: [] }),
    })
    const [answer] = await ask(hints)
    expect(answer).toMatchObject({ value: { quote: { request: { connectors: [hint] } } } })
  })
})

const noRoute = { verdict: 1 }
