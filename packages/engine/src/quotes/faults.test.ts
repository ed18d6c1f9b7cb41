import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { blockHash, type FakeNode, type Fault, planOf, startFakeNode } from '../../test/fakeNode.js'
import { engineOn, requestOf } from '../../test/harness.js'
import type { Engine, EngineConfig, FailureReport } from '../index.js'

let nodes: FakeNode[]
let engine: Engine
let reports: FailureReport[]
let hedges: { upstream: string }[]

beforeEach(async () => {
  nodes = await Promise.all([startFakeNode(), startFakeNode()])
  reports = []
  hedges = []
  start()
})

afterEach(async () => {
  engine.stop()
  await Promise.all(nodes.map((node) => node.close()))
})

function start(changes: Partial<EngineConfig> = {}, count = 2) {
  const onFailure = (report: FailureReport) => reports.push(report)
  const onHedge = (report: { upstream: string }) => hedges.push(report)
  engine = engineOn(nodes.slice(0, count), { onFailure, onHedge, ...changes })
}

const quoteCalls = () => nodes.map(({ calls }) => calls.get('eth_call') ?? 0)

const faults: [Fault, string][] = [
  ['reset', 'connect'],
  ['html', 'bad_response'],
  ['wrong id', 'bad_response'],
  ['duplicate id', 'bad_response'],
  ['single object', 'bad_response'],
  ['not hex', 'bad_response'],
  ['empty', 'bad_response'],
  ['null', 'bad_response'],
  ['not canonical', 'bad_response'],
  ['huge', 'too_large'],
  ['huge, declared', 'too_large'],
  ['huge junk', 'bad_response'],
  [{ status: 503 }, 'server'],
  [{ status: 429 }, 'rate_limited'],
  [{ status: 401 }, 'auth'],
  [{ status: 302 }, 'bad_response'],
  [{ error: { code: -32_603, message: 'Internal error' } }, 'server'],
  [{ error: { code: -32_000, message: 'header not found' } }, 'not_ready'],
]

describe('a faulty node', () => {
  test.each(faults)('behavior: on %j, the next node is used', async (fault, failure) => {
    nodes[0]!.fault = fault
    expect(await engine.quote(requestOf())).toMatchObject({ cache: 'miss', rpcTried: 2 })
    expect(reports).toEqual([{ upstream: '31337#1', failure }])
    expect(quoteCalls()).toEqual([1, 1])
  })

  test.each(faults)('error: %j on every node is rpc_unreachable, never no_route', async (fault) => {
    for (const node of nodes) node.fault = fault
    await expect(engine.quote(requestOf())).rejects.toMatchObject({
      code: 'rpc_unreachable',
      message: 'No node of Bench gave a valid answer.',
    })
  })

  test.each(['hang', 'drip'] as const)(
    'behavior: the next node is asked while the first one is in state %s',
    async (fault) => {
      nodes[0]!.fault = fault
      expect(await engine.quote(requestOf())).toMatchObject({ rpcTried: 2 })
      expect(reports).toEqual([])
      expect(hedges).toEqual([{ upstream: '31337#1' }])
      // The call and the header.
      await expect.poll(() => nodes[0]!.aborted).toBe(2)
    },
  )

  test('behavior: a kept connection that the node closed is not a failure', async () => {
    start({}, 1)
    await engine.quote(requestOf())
    nodes[0]!.fault = 'reset once'
    expect(await engine.quote(requestOf({ amountIn: 2n }))).toMatchObject({ rpcTried: 1 })
    expect(reports).toEqual([])
  })

  test('behavior: a node without batches gets single calls', async () => {
    start({}, 1)
    nodes[0]!.fault = 'no batches'
    expect(await engine.quote(requestOf())).toMatchObject({
      rpcTried: 1,
      quote: { canExecute: true },
    })
    expect(nodes[0]!.requests).toBe(3)
    await engine.quote(requestOf({ amountIn: 2n }))
    expect(nodes[0]!.requests).toBe(5)
  })

  test('error: nodes that are down or hang end within the time limit', async () => {
    nodes[0]!.fault = 'hang'
    await nodes[1]!.close()
    const startedAt = performance.now()
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ code: 'rpc_unreachable' })
    expect(performance.now() - startedAt).toBeLessThan(2_500)
  })

  test('error: no nodes at all', async () => {
    start({}, 0)
    await expect(engine.quote(requestOf())).rejects.toMatchObject({
      code: 'rpc_unreachable',
      rpcTried: 0,
    })
  })

  test('behavior: failures are not cached', async () => {
    for (const node of nodes) node.fault = { status: 503 }
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ code: 'rpc_unreachable' })
    for (const node of nodes) node.fault = undefined
    expect(await engine.quote(requestOf())).toMatchObject({ cache: 'miss' })
  })
})

describe('a call that reverts or halts', () => {
  test('error: a revert is confirmed by a second node', async () => {
    for (const node of nodes) node.fault = { error: { code: 3, message: 'execution reverted' } }
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ code: 'no_route', rpcTried: 2 })
    expect(reports).toEqual([])
  })

  test('error: a revert on the only node is an answer, after one call', async () => {
    start({}, 1)
    nodes[0]!.fault = { error: { code: 3, message: 'execution reverted' } }
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ code: 'no_route', rpcTried: 1 })
  })

  test('error: a revert that no second host confirms says nothing about the route', async () => {
    nodes[0]!.fault = { error: { code: 3, message: 'execution reverted' } }
    nodes[1]!.fault = 'reset'
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ code: 'rpc_unreachable' })
  })

  test('behavior: a node that reverts what another one answers is asked last afterwards', async () => {
    nodes[0]!.fault = { error: { code: 3, message: 'execution reverted' } }
    expect(await engine.quote(requestOf())).toMatchObject({ rpcTried: 2 })
    expect(engine.nodes()[0]).toMatchObject({ isDemoted: true })
    for (const amountIn of [2n, 3n])
      expect(await engine.quote(requestOf({ amountIn }))).toMatchObject({ rpcTried: 1 })
  })

  test('behavior: in a batch, only the reverted call is repeated', async () => {
    nodes[0]!.plan = (ask) =>
      ask.amountIn === 2n ? { code: 3, message: 'execution reverted' } : planOf(ask)
    const answers = await engine.quoteMany([requestOf(), requestOf({ amountIn: 2n })])
    expect(answers).toMatchObject([{ ok: true }, { ok: true }])
    expect(quoteCalls()).toEqual([2, 1])
  })

  test('error: names our own reverts, and never quotes other revert data', async () => {
    const message = 'execution reverted: \u202ebuy SCAM at scam.example'
    nodes[0]!.fault = { error: { code: 3, message, data: '0x1f2a2005' } }
    start({}, 1)
    const text = (error = '') =>
      `The quote call reverted${error} on chain, so there is no executable route for this trade.`
    await expect(engine.quote(requestOf())).rejects.toMatchObject({
      message: text(' with ZeroAmount'),
    })
    nodes[0]!.fault = { error: { code: 3, message, data: '0x08c379a0' } }
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ message: text() })
  })

  test('error: a halt is confirmed by a second node', async () => {
    for (const node of nodes)
      node.fault = { error: { code: -32_603, message: 'EVM error OutOfGas' } }
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ code: 'no_route', rpcTried: 2 })
  })

  test('error: a halt that no second host can confirm says nothing about the route', async () => {
    nodes[0]!.fault = { error: { code: -32_000, message: 'out of gas' } }
    nodes[1]!.fault = 'reset'
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ code: 'rpc_unreachable' })
  })

  test('error: a halt on the only node is an answer, after one call', async () => {
    start({}, 1)
    nodes[0]!.fault = { error: { code: -32_000, message: 'out of gas' } }
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ code: 'no_route', rpcTried: 1 })
  })

  test('behavior: a halt is dropped if the second node answers', async () => {
    nodes[0]!.fault = { error: { code: -32_000, message: 'out of gas' } }
    expect(await engine.quote(requestOf())).toMatchObject({ quote: { canExecute: true } })
  })
})

describe('the witness', () => {
  const witness = {
    chainId: 31_337n,
    blockNumber: 100n,
    timestamp: 0n,
    parentHash: blockHash(99),
  }

  test.each([
    ['an older block', { blockNumber: 99n, parentHash: blockHash(98) }],
    ['a block from far ahead', { blockNumber: 102n, parentHash: blockHash(101) }],
    ['another fork', { parentHash: blockHash(99, 'fork') }],
    ['another time', { timestamp: 1n }],
  ])('error: a plan on %s is discarded', async (_, changes) => {
    const first = nodes[0]!
    const timestamp = BigInt(first.genesis + 200)
    first.plan = (ask) => planOf(ask, { witness: { ...witness, timestamp, ...changes } })
    expect(await engine.quote(requestOf())).toMatchObject({ rpcTried: 2 })
    expect(reports).toEqual([{ upstream: '31337#1', failure: 'wrong_block' }])
    nodes[1]!.plan = first.plan
    await expect(engine.quote(requestOf({ amountIn: 2n }))).rejects.toMatchObject({
      code: 'rpc_unreachable',
    })
  })

  test('behavior: "no route" on the wrong block is not an answer', async () => {
    for (const node of nodes)
      node.plan = (ask) => planOf(ask, { verdict: 1, witness: { ...witness, blockNumber: 7n } })
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ code: 'rpc_unreachable' })
  })

  test('behavior: a block that arrives between the two reads is used, but not cached', async () => {
    start({}, 1)
    const node = nodes[0]!
    node.plan = (ask) => {
      const timestamp = BigInt(node.genesis + 202)
      const child = { ...witness, timestamp, blockNumber: 101n, parentHash: blockHash(100) }
      return planOf(ask, { witness: child })
    }
    for (const _ of [1, 2])
      expect(await engine.quote(requestOf())).toMatchObject({
        cache: 'miss',
        rpcTried: 1,
        block: { number: 101n, hash: undefined },
      })
  })

  test('behavior: a single node that moved on is asked again for the same block', async () => {
    start({}, 1)
    const node = nodes[0]!
    let calls = 0
    node.plan = (ask) => {
      calls++
      const old = { ...witness, blockNumber: 99n, parentHash: blockHash(98) }
      return planOf(ask, calls === 1 ? { witness: old } : {})
    }
    expect(await engine.quote(requestOf())).toMatchObject({ rpcTried: 2, block: { number: 100n } })
  })

  test('behavior: a node that answered before the next block was known is asked for that block', async () => {
    nodes.push(await startFakeNode())
    start({}, 3)
    const [sound, ...others] = nodes
    for (const node of others) Object.assign(node, { delayMs: 100, head: 102, fault: 'empty' })
    sound!.plan = (ask) => {
      sound!.head = 102
      return planOf(ask)
    }
    expect(await engine.quote(requestOf())).toMatchObject({ block: { number: 102n } })
    expect(reports).toContainEqual({ upstream: '31337#1', failure: 'moved' })
  })

  test('behavior: a node with a wrong block is asked again if no other can answer', async () => {
    let calls = 0
    const old = { ...witness, blockNumber: 99n, parentHash: blockHash(98) }
    nodes[0]!.plan = (ask) => planOf(ask, ++calls === 1 ? { witness: old } : {})
    nodes[1]!.fault = 'empty'
    expect(await engine.quote(requestOf())).toMatchObject({ rpcTried: 3, block: { number: 100n } })
  })

  test('error: a node of another chain is excluded after its second wrong answer', async () => {
    nodes[0]!.chainId = 1n
    for (const amountIn of [1n, 2n])
      expect(await engine.quote(requestOf({ amountIn }))).toMatchObject({ rpcTried: 2 })
    expect(engine.nodes()).toMatchObject([{ isExcluded: true }, { isExcluded: false }])
    expect(await engine.quote(requestOf({ amountIn: 3n }))).toMatchObject({ rpcTried: 1 })
    expect(quoteCalls()).toEqual([2, 3])
  })

  test('behavior: one flipped bit does not exclude a node', async () => {
    let calls = 0
    nodes[0]!.plan = (ask) =>
      planOf(ask, ++calls % 2 === 1 ? { witness: { ...witness, chainId: 31_336n } } : {})
    for (const amountIn of [1n, 2n, 3n, 4n])
      expect(await engine.quote(requestOf({ amountIn }))).toMatchObject({
        rpcTried: amountIn % 2n === 1n ? 2 : 1,
      })
    expect(engine.nodes()[0]).toMatchObject({ isExcluded: false })
  })

  test('error: a plan with inconsistent numbers is discarded', async () => {
    nodes[0]!.plan = (ask) => planOf(ask, { protocolFee: 1n })
    expect(await engine.quote(requestOf())).toMatchObject({ rpcTried: 2 })
    expect(reports).toEqual([{ upstream: '31337#1', failure: 'bad_response' }])
  })
})

describe('an old block', () => {
  test('error: not rpc_stale if one node lags and another one fails', async () => {
    nodes[0]!.fault = { status: 503 }
    nodes[1]!.genesis -= 20
    start({ maxBlockAge: 15_000 })
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ code: 'rpc_unreachable' })
  })

  test('error: rpc_stale if every node lags', async () => {
    start({ maxBlockAge: 15_000 })
    for (const node of nodes) node.genesis -= 20
    await expect(engine.quote(requestOf())).rejects.toMatchObject({
      code: 'rpc_stale',
      message: 'The latest block of Bench is too old.',
    })
  })

  test('behavior: a node that does not lag is used instead of one that does', async () => {
    start({ maxBlockAge: 15_000 })
    nodes[0]!.genesis -= 20
    expect(await engine.quote(requestOf())).toMatchObject({ rpcTried: 2 })
    expect(reports).toEqual([{ upstream: '31337#1', failure: 'stale' }])
  })

  test('error: a stopped local node is stale like any other', async () => {
    start({ maxBlockAge: 'auto' })
    for (const node of nodes) node.genesis -= 302
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ code: 'rpc_stale' })
    expect(await engine.isReady()).toBe(false)
  })

  test('behavior: `maxBlockAge: off` allows a devnet that makes blocks on demand', async () => {
    start({ maxBlockAge: 'off' })
    for (const node of nodes) node.genesis -= 100_000
    expect(await engine.quote(requestOf())).toMatchObject({ rpcTried: 1 })
  })
})

describe('probing', () => {
  test('behavior: reads code and head, and excludes a node of another chain', async () => {
    nodes[1]!.chainId = 5n
    engine.startProbing()
    await expect
      .poll(() => engine.health().find(({ chainId }) => chainId === 31_337))
      .toMatchObject({
        probed: true,
        live: false,
        head: 100n,
      })
    await nodes[0]!.close()
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ rpcTried: 1 })
    expect(nodes[1]!.calls.get('eth_call')).toBeUndefined()
  })
})

describe('coming back', () => {
  /** More than the promised ten seconds, for a busy machine. */
  const patience = { timeout: 30_000, interval: 50 }

  test('behavior: a node that served another chain is asked again once it serves the right one', async () => {
    nodes[0]!.chainId = 5n
    engine.startProbing()
    await expect.poll(() => engine.nodes()[0], patience).toMatchObject({ isExcluded: true })
    expect(engine.health().find(({ chainId }) => chainId === 31_337)).toMatchObject({
      problem: undefined,
    })
    nodes[0]!.chainId = 31_337n
    await expect.poll(() => engine.nodes()[0], patience).toMatchObject({ isExcluded: false })
    expect(await engine.quote(requestOf())).toMatchObject({ rpcTried: 1 })
    expect(quoteCalls()).toEqual([1, 0])
  })

  test('behavior: if every node serves another chain, health and onProblem report it', async () => {
    const problems: object[] = []
    start({ onProblem: (report) => problems.push(report) })
    for (const node of nodes) node.chainId = 5n
    engine.startProbing()
    const health = () => engine.health().find(({ chainId }) => chainId === 31_337)
    await expect.poll(health, patience).toMatchObject({ problem: 'wrong_chain' })
    expect(problems).toEqual([{ chainId: 31_337, problem: 'wrong_chain' }])
  })

  test('behavior: a node that asked for a minute of rest is probed earlier', async () => {
    start({}, 1)
    nodes[0]!.fault = { status: 429, retryAfter: 60 }
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ code: 'rpc_unreachable' })
    nodes[0]!.fault = undefined
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ rpcTried: 0 })
    engine.startProbing()
    const ask = () =>
      engine.quote(requestOf()).then(
        () => true,
        () => false,
      )
    await expect.poll(ask, patience).toBe(true)
  })

  test('behavior: a node that reverts what others answer is asked last until it recovers', async () => {
    nodes[0]!.fault = { error: { code: 3, message: 'execution reverted' } }
    await engine.quote(requestOf())
    engine.startProbing()
    const requests = nodes[0]!.requests
    await expect.poll(() => nodes[0]!.requests, patience).toBeGreaterThan(requests + 3)
    expect(engine.nodes()[0]).toMatchObject({ isDemoted: true })
    nodes[0]!.fault = undefined
    await expect.poll(() => engine.nodes()[0], patience).toMatchObject({ isDemoted: false })
  })
})

describe('verify', () => {
  const request = requestOf({ verify: 2 })

  test('default: two hosts return the same answer, which is not cached', async () => {
    for (const _ of [1, 2])
      expect(await engine.quote(request)).toMatchObject({ cache: 'miss', rpcTried: 2 })
    expect(quoteCalls()).toEqual([2, 2])
  })

  test.each([
    ['differs in one number', () => (nodes[1]!.plan = (ask) => planOf(ask, { estGas: 130_001n }))],
    ['does not answer', () => (nodes[1]!.fault = { status: 503 })],
    ['is on another block', () => (nodes[1]!.head = 90)],
    ['is the only one', () => start({}, 1)],
  ])('error: a second host that %s is rpc_unreachable', async (_, change) => {
    change()
    await expect(engine.quote(request)).rejects.toMatchObject({
      code: 'rpc_unreachable',
      message: 'No second host of Bench gave the same answer on the same block.',
    })
    if (nodes[1]!.fault === undefined) expect(await engine.quote(requestOf())).toBeDefined()
  })

  test('behavior: in a batch, it does not affect requests without `verify`', async () => {
    nodes[1]!.fault = { status: 503 }
    const [verified, same, other] = await engine.quoteMany([
      request,
      requestOf(),
      requestOf({ amountIn: 7n }),
    ])
    expect(verified).toMatchObject({ ok: false, error: { code: 'rpc_unreachable' } })
    expect(same).toMatchObject({ ok: true, value: { block: { number: 100n } } })
    expect(other).toMatchObject({ ok: true, value: { block: { number: 100n } } })
  })

  test('error: a failure that a second host does not confirm is unverified too', async () => {
    nodes[0]!.fault = { error: { code: 3, message: 'execution reverted', data: '0x' } }
    await expect(engine.quote(request)).rejects.toMatchObject({ code: 'rpc_unreachable' })
    nodes[1]!.fault = nodes[0]!.fault
    await expect(engine.quote(request)).rejects.toMatchObject({ code: 'no_route' })
  })
})
