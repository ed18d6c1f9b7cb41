import type { Socket } from 'node:net'
import { getAddress } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { startProxy } from '../../../rpc/test/startProxy.js'
import type { TextServer } from '../../../rpc/test/startTextServer.js'
import { type FakeNode, planOf, startFakeNode } from '../../test/fakeNode.js'
import { engineOn, requestOf } from '../../test/harness.js'
import type { Engine } from '../index.js'

let nodes: FakeNode[] = []
const proxies: TextServer[] = []
let engine: Engine

afterEach(async () => {
  await engine.stop()
  await Promise.all(nodes.map((node) => node.close()))
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()))
})

async function startNodes(count: number) {
  nodes = await Promise.all(Array.from({ length: count }, () => startFakeNode()))
}

/** A proxy that records the requests to a node. If `resets`, it resets each connection at its second request. */
async function startRecorder(node: FakeNode, resets: boolean): Promise<Proxied> {
  const seen = new Map<Socket, number>()
  const bodies: string[] = []
  const proxy = await startProxy(node.url, async (body, forward, { socket }) => {
    const count = (seen.get(socket) ?? 0) + 1
    seen.set(socket, count)
    bodies.push(body)
    if (resets && count > 1) socket.resetAndDestroy()
    else return forward()
  })
  proxies.push(proxy)
  return Object.assign(proxy, { bodies })
}

type Proxied = TextServer & { readonly bodies: readonly string[] }

/** Number of requests received, once no more are pending. */
async function settled(proxied: readonly Proxied[]): Promise<number> {
  const count = () => proxied.reduce((sum, { bodies }) => sum + unitsOf(bodies), 0)
  let last = count()
  for (let calm = 0; calm < 5; ) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    calm = count() === last && proxied.every(({ open }) => open === 0) ? calm + 1 : 0
    last = count()
  }
  return last
}

/** Counts requests. Single calls to a node without batches count as the one request that they replace. */
function unitsOf(bodies: readonly string[]): number {
  return bodies.filter((body) => body.startsWith('[') || body.includes('eth_getBlockByNumber'))
    .length
}

describe('requests for one quote', () => {
  const junk = (digit: string) => ({
    address: getAddress(`0x${digit.repeat(40)}`),
    isNative: false,
  })
  const recipient = '0x00000000000000000000000000000000000000AA'
  const { chain } = requestOf()
  const router = '0x00000000000000000000000000000000000000f0' as const
  const deployed = { ...chain, contracts: { ...chain.contracts, router } }
  /** Each with the maximum number of requests. */
  const sorts: [string, number, Parameters<typeof requestOf>[0]][] = [
    ['a quote', 12, { takesNodePrice: true }],
    ['a quote of a made-up token', 12, { takesNodePrice: true, tokenIn: junk('5') }],
    ['exact=1', 18, { takesNodePrice: true, isExact: true }],
    ['exact=1 on a made-up token', 18, { takesNodePrice: true, isExact: true, tokenIn: junk('6') }],
    ['a recipient', 18, { chain: deployed, recipient, takesNodePrice: true }],
    ['a sender', 18, { chain: deployed, recipient, sender: recipient, tokenIn: junk('7') }],
    ['verify=2', 18, { takesNodePrice: true, verify: 2 }],
  ]
  const ailments: [string, boolean, (node: FakeNode, index: number) => void][] = [
    ['are healthy', false, () => {}],
    ['reset kept connections', true, () => {}],
    ['reset kept connections and contradict each other', true, (node, at) => contradict(node, at)],
    ['contradict each other', false, (node, at) => contradict(node, at)],
    ['say that everything reverts', false, (node) => stopAll(node)],
    ['fail each dry run', false, (node) => failRuns(node)],
    ['are not JSON', false, (node) => setFault(node, 'html')],
    ['take no batches', false, (node) => setFault(node, 'no batches')],
    ['answer 503', false, (node) => setFault(node, { status: 503 })],
    ['hang', false, (node) => setFault(node, 'hang')],
  ]
  function setFault(node: FakeNode, fault: FakeNode['fault']) {
    node.fault = fault
  }
  function contradict(node: FakeNode, index: number) {
    node.salt = `branch ${index}`
  }
  function stopAll(node: FakeNode) {
    node.refuse = () => ({ code: 3, message: 'execution reverted' })
  }
  function failRuns(node: FakeNode) {
    node.plan = (ask) =>
      planOf(ask, { verdict: ask.isExact ? 5 : 0, upperBound: ask.amountIn * 3n })
  }

  test.each(ailments)(
    'property: nodes that %s get at most the promised number of requests',
    async (_, resets, ail) => {
      await startNodes(3)
      const proxied = await Promise.all(nodes.map((node) => startRecorder(node, resets)))
      engine = engineOn(proxied as unknown as FakeNode[], { headFreshMs: 0 })
      // Opens as many kept connections as concurrent requests will use.
      const crowd = Array.from({ length: 12 }, (_, index) =>
        engine.quote(requestOf({ amountIn: BigInt(index + 9) })).catch(() => {}),
      )
      await Promise.all(crowd)
      let before = await settled(proxied)
      for (const [index, node] of nodes.entries()) ail(node, index)
      for (const [sort, most, changes] of sorts) {
        const startedAt = performance.now()
        await engine.quote(requestOf(changes)).catch(() => {})
        const tookMs = performance.now() - startedAt
        expect([sort, tookMs < (changes?.isExact ? 6_000 : 2_500)]).toEqual([sort, true])
        const arrived = await settled(proxied)
        expect([sort, Math.max(arrived - before, most)]).toEqual([sort, most])
        before = arrived
      }
    },
  )

  test('behavior: a connection that is reset twice is a failure', async () => {
    await startNodes(1)
    nodes[0]!.fault = 'reset'
    engine = engineOn(nodes)
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ code: 'rpc_unreachable' })
    // Nothing is sent again on a new connection.
    expect(nodes[0]!.requests).toBe(1)
  })

  test('behavior: a dry run of an unknown token costs at most ten calls, and its result is remembered', async () => {
    await startNodes(1)
    engine = engineOn(nodes)
    const junk = { address: getAddress(`0x${'5'.repeat(40)}`), isNative: false }
    const billed = () => [...nodes[0]!.calls.values()].reduce((sum, count) => sum + count, 0)
    let probes = 0
    nodes[0]!.refuse = ({ params: [{ data }] }) => {
      if (data.startsWith('0x70a08231')) probes++
      return undefined
    }
    await engine.quote(requestOf({ tokenIn: junk, isExact: true }))
    expect(billed() + probes).toBeLessThanOrEqual(10)
    expect(probes).toBe(1)
    await engine.quote(requestOf({ tokenIn: junk, isExact: true, amountIn: 5n }))
    expect(probes).toBe(1)
  })
})

describe('time for one quote', () => {
  test('behavior: if all nodes hang, the time limit of a dry run holds', async () => {
    await startNodes(3)
    for (const node of nodes) node.fault = 'hang'
    engine = engineOn(nodes)
    const startedAt = performance.now()
    await expect(engine.quote(requestOf({ isExact: true }))).rejects.toMatchObject({
      code: 'rpc_unreachable',
    })
    expect(performance.now() - startedAt).toBeLessThan(6_000)
  })

  test('behavior: if the first node hangs, the second one is used, also for dry runs', async () => {
    await startNodes(2)
    nodes[0]!.fault = 'hang'
    const hedges: string[] = []
    engine = engineOn(nodes, { onHedge: ({ upstream }) => hedges.push(upstream) })
    const ask = async (amountIn: bigint) =>
      await engine.quote(requestOf({ isExact: true, amountIn }))
    // The first node loses each race until it is demoted.
    for (const amountIn of [1n, 2n, 3n, 4n, 5n, 6n]) await ask(amountIn)
    expect(engine.nodes()[0]).toMatchObject({ isDemoted: true })
    const before = hedges.length
    await ask(7n)
    expect(hedges.length).toBe(before)
  })

  test('behavior: one request waits only once for a node that hangs, however many steps it has', async () => {
    const { chain } = requestOf()
    const router = '0x00000000000000000000000000000000000000f0' as const
    const deployed = { ...chain, contracts: { ...chain.contracts, router } }
    const recipient = '0x00000000000000000000000000000000000000AA'
    /** Requests sent to the hanging node by a first quote, and hedges because of it. */
    async function costOf(changes: Parameters<typeof requestOf>[0]) {
      await startNodes(3)
      nodes[0]!.fault = 'hang'
      // The run leaves something open, so a further request is needed.
      for (const node of nodes)
        node.plan = (ask) =>
          planOf(ask, { verdict: ask.isExact ? 5 : 0, upperBound: ask.amountIn * 3n })
      let hedges = 0
      engine = engineOn(nodes, { onHedge: () => hedges++ })
      await engine.quote(requestOf({ chain: deployed, ...changes })).catch(() => {})
      const { requests } = nodes[0]!
      await engine.stop()
      await Promise.all(nodes.map((node) => node.close()))
      return { requests, hedges }
    }
    const plain = await costOf({})
    expect(plain.hedges).toBe(1)
    const sorts: Parameters<typeof requestOf>[0][] = [
      { isExact: true },
      { recipient },
      { recipient, sender: recipient },
      { recipient, sender: recipient, isExact: true },
    ]
    for (const changes of sorts) {
      const { hedges, requests } = await costOf(changes)
      expect([changes, hedges]).toEqual([changes, 1])
      expect(requests - plain.requests).toBeLessThanOrEqual(1)
    }
  })
})
