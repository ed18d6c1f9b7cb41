import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tokens } from '../../../domain/test/deployments.js'
import { blockHash, type FakeNode, planOf, startFakeNode } from '../../test/fakeNode.js'
import { engineOn, requestOf } from '../../test/harness.js'
import type { Engine } from '../index.js'

const recipient = '0x00000000000000000000000000000000000000AA'
let node: FakeNode
let engine: Engine

beforeEach(async () => {
  node = await startFakeNode()
  engine = engineOn([node])
})

afterEach(async () => {
  engine.stop()
  await node.close()
})

const quoteCalls = () => node.calls.get('eth_call') ?? 0

describe('quote', () => {
  test('default: a miss costs one request with header and call', async () => {
    const answer = await engine.quote(requestOf())
    expect(answer).toMatchObject({
      cache: 'miss',
      rpcTried: 1,
      block: { number: 100n, hash: blockHash(100), parentHash: blockHash(99) },
      quote: { canExecute: true, plan: { netOut: 1_994_400n } },
    })
    expect(node.requests).toBe(1)
    expect(Object.fromEntries(node.calls)).toEqual({ eth_getBlockByNumber: 1, eth_call: 1 })
  })

  test('behavior: a cache hit while the block is the latest, for any slippage and deadline', async () => {
    await engine.quote(requestOf())
    const hit = await engine.quote(requestOf({ slippageBps: 0, deadlineSec: 10 }))
    expect(hit).toMatchObject({ cache: 'hit', rpcTried: 0, quote: { effectiveMinOut: 1_994_400n } })
    expect(node.requests).toBe(1)
  })

  test('behavior: an old header is read again before a cache hit', async () => {
    engine = engineOn([node], { headFreshMs: 0 })
    await engine.quote(requestOf())
    expect(await engine.quote(requestOf())).toMatchObject({ cache: 'hit' })
    expect(Object.fromEntries(node.calls)).toEqual({ eth_getBlockByNumber: 2, eth_call: 1 })
  })

  test('behavior: no cache hit on a block that is not the latest', async () => {
    engine = engineOn([node], { headFreshMs: 30 })
    await engine.quote(requestOf())
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(await engine.quote(requestOf())).toMatchObject({ cache: 'hit' })
    expect(quoteCalls()).toBe(1)
    node.head++
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(await engine.quote(requestOf())).toMatchObject({
      cache: 'miss',
      block: { number: 101n },
    })
  })

  test.each([
    ['another amount', { amountIn: 2n }],
    ['another token', { tokenOut: { address: tokens.dai, isNative: false } }],
    ['a gas price', { gasPrice: 1n }],
    ['connectors', { connectors: [tokens.slu] }],
  ])('behavior: %s is another call', async (_, changes) => {
    await engine.quote(requestOf())
    expect(await engine.quote(requestOf(changes))).toMatchObject({ cache: 'miss' })
  })

  test.each([
    ['exact', { isExact: true }],
    ['with a recipient', { recipient } as const],
  ])('behavior: %s never comes from the cache', async (_, changes) => {
    await engine.quote(requestOf())
    for (const calls of [2, 3]) {
      expect(await engine.quote(requestOf(changes))).toMatchObject({ cache: 'miss' })
      expect(quoteCalls()).toBe(calls)
    }
  })

  test('behavior: ETH and WETH share the answer', async () => {
    await engine.quote(requestOf())
    const native = { address: tokens.weth, isNative: true }
    expect(await engine.quote(requestOf({ tokenIn: native }))).toMatchObject({ cache: 'hit' })
  })

  test('behavior: 1,000 identical concurrent requests are one call', async () => {
    node.delayMs = 30
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, () => engine.quote(requestOf())),
    )
    expect(node.requests).toBe(1)
    expect(answers.filter(({ cache }) => cache === 'miss')).toHaveLength(1)
    expect(answers.filter(({ cache }) => cache === 'coalesced')).toHaveLength(999)
  })

  test('behavior: callers who differ in recipient and slippage share the call', async () => {
    node.delayMs = 30
    const changes = [{}, { recipient }, { slippageBps: 50 }] as const
    const answers = await Promise.all(changes.map((each) => engine.quote(requestOf(each))))
    expect(node.requests).toBe(1)
    const minima = answers.map(({ quote }) => quote.effectiveMinOut)
    expect(minima).toEqual([1_973_858n, 1_973_858n, 1_984_428n])
  })

  test('behavior: if the first caller aborts, the others still get the answer', async () => {
    node.delayMs = 50
    const leader = new AbortController()
    const first = engine.quote(requestOf(), { signal: leader.signal })
    const followers = Array.from({ length: 20 }, () => engine.quote(requestOf()))
    leader.abort(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    expect(await Promise.all(followers)).toHaveLength(20)
    expect(node.requests).toBe(1)
  })

  test('behavior: the node request is canceled if its only caller aborts', async () => {
    node.fault = 'hang'
    const caller = new AbortController()
    const quote = engine.quote(requestOf(), { signal: caller.signal })
    await expect.poll(() => node.requests).toBe(1)
    caller.abort(new Error('gone'))
    await expect(quote).rejects.toThrow('gone')
    await expect.poll(() => node.aborted).toBe(1)
  })

  test('behavior: "no route" is cached for its block', async () => {
    node.plan = (ask) => planOf(ask, { verdict: 1 })
    for (const _ of [1, 2])
      await expect(engine.quote(requestOf())).rejects.toMatchObject({ code: 'no_route' })
    expect(quoteCalls()).toBe(1)
  })

  test.each([
    [1, 'no_route', 'No pools connect the two tokens for this amount.'],
    [2, 'bad_in', '`in` is not a token: the address holds no code on this chain.'],
    [3, 'bad_out', '`out` is not a token: the address holds no code on this chain.'],
    [4, 'no_route', '`amountIn` is too small: the output rounds to zero.'],
  ])('error: verdict %i is %s', async (verdict, code, message) => {
    node.plan = (ask) => planOf(ask, { verdict })
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ code, message })
  })

  test('behavior: verdict 6 is a quote that cannot be executed', async () => {
    node.plan = (ask) => planOf(ask, { verdict: 6 })
    const { quote } = await engine.quote(requestOf({ isExact: true, recipient }))
    expect(quote).toMatchObject({ canExecute: false, tx: undefined })
  })
})

describe('quoteMany', () => {
  const amounts = [1n, 2n, 1n, 3n].map((amountIn) => requestOf({ amountIn }))

  test('default: one request on one block; repeated items share', async () => {
    const answers = await engine.quoteMany(amounts)
    const values = answers.map((answer) => (answer.ok ? answer.value : undefined))
    expect(values.map((value) => value?.quote.plan.route.amountIn)).toEqual([1n, 2n, 1n, 3n])
    expect(values.map((value) => value?.cache)).toEqual(['miss', 'miss', 'coalesced', 'miss'])
    expect(new Set(values.map((value) => value?.block.hash))).toEqual(new Set([blockHash(100)]))
    expect(node.requests).toBe(1)
    expect(quoteCalls()).toBe(3)
  })

  test('behavior: cache hits if every item is cached for the latest block', async () => {
    await engine.quoteMany(amounts)
    const answers = await engine.quoteMany(amounts.slice(1, 3))
    expect(answers).toMatchObject([{ value: { cache: 'hit' } }, { value: { cache: 'hit' } }])
    expect(node.requests).toBe(1)
  })

  test('behavior: one block even if the chain moves between the calls', async () => {
    node.plan = (ask, number) => {
      if (number === 100) node.head = 101
      return planOf(ask)
    }
    const answers = await engine.quoteMany(amounts)
    const blocks = answers.map((answer) => answer.ok && answer.value.block.number)
    expect(new Set(blocks)).toEqual(new Set([100n]))
  })

  test('behavior: a failing item does not affect the others', async () => {
    node.plan = (ask) => {
      if (ask.amountIn === 2n) return { code: -32_603, message: 'EVM error OutOfGas' }
      return planOf(ask, ask.amountIn === 3n ? { verdict: 1 } : {})
    }
    const answers = await engine.quoteMany(amounts)
    expect(answers).toMatchObject([
      { ok: true },
      { ok: false, error: { code: 'no_route' } },
      { ok: true },
      { ok: false, error: { code: 'no_route' } },
    ])
  })
})
