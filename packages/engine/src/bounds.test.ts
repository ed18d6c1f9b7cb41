import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getAddress } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { type FakeNode, startFakeNode } from '../test/fakeNode.js'
import { engineOn, requestOf } from '../test/harness.js'
import type { Engine } from './index.js'

let nodes: FakeNode[] = []
const proxies: Server[] = []
let engine: Engine

afterEach(async () => {
  await engine.stop()
  await Promise.all(nodes.map((node) => node.close()))
  for (const proxy of proxies.splice(0)) {
    proxy.closeAllConnections()
    proxy.close()
  }
})

async function startNodes(count: number) {
  nodes = await Promise.all(Array.from({ length: count }, () => startFakeNode()))
}

/** Answers the first request of each connection and resets it at the second; counts what arrives. */
async function startResetting(node: FakeNode) {
  const seen = new Map<Socket, number>()
  const proxy = { bodies: [] as string[], url: '' }
  const server = createServer(async (request, response) => {
    const count = (seen.get(request.socket) ?? 0) + 1
    seen.set(request.socket, count)
    const body = (await request.toArray()).join('')
    proxy.bodies.push(body)
    if (count > 1) return request.socket.resetAndDestroy()
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(node.url, { method: 'POST', headers, body }).catch(() => undefined)
    response.end(await answer?.text())
  }).listen(0, '127.0.0.1')
  proxies.push(server)
  await once(server, 'listening')
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}

describe('requests for one quote', () => {
  test('behavior: nodes that reset kept connections draw two requests each at most, however many are kept', async () => {
    await startNodes(3)
    const proxied = await Promise.all(nodes.map(startResetting))
    engine = engineOn(proxied as unknown as FakeNode[], { headFreshMs: 20 })
    const crowd = Array.from({ length: 30 }, (_, index) =>
      requestOf({ amountIn: BigInt(index + 9) }),
    )
    await Promise.all(crowd.map((request) => engine.quote(request).catch(() => {})))
    const drawn = (amountIn: bigint) => {
      const word = amountIn.toString(16).padStart(64, '0')
      return proxied.flatMap(({ bodies }) => bodies).filter((body) => body.includes(word)).length
    }
    for (const amountIn of [0xfacade01n, 0xfacade02n, 0xfacade03n]) {
      await engine.quote(requestOf({ amountIn }))
      // Two to each, and a copy to each node that was demoted.
      expect(drawn(amountIn)).toBeLessThanOrEqual(8)
    }
  })

  test('behavior: a connection that is reset again, on a new one too, is a failure', async () => {
    await startNodes(1)
    nodes[0]!.fault = 'reset'
    engine = engineOn(nodes)
    await expect(engine.quote(requestOf())).rejects.toMatchObject({ code: 'rpc_unreachable' })
    // On a new connection nothing is sent again.
    expect(nodes[0]!.requests).toBe(1)
  })

  test('behavior: a dry run of a token that nobody knows costs ten calls at most, and is remembered', async () => {
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
  test('behavior: nodes that are all silent take no more than a dry run may take', async () => {
    await startNodes(3)
    for (const node of nodes) node.fault = 'hang'
    engine = engineOn(nodes)
    const startedAt = performance.now()
    await expect(engine.quote(requestOf({ isExact: true }))).rejects.toMatchObject({
      code: 'rpc_unreachable',
    })
    expect(performance.now() - startedAt).toBeLessThan(6_000)
  })

  test('behavior: a silent first node is left for the second, dry run or not', async () => {
    await startNodes(2)
    nodes[0]!.fault = 'hang'
    const hedges: string[] = []
    engine = engineOn(nodes, { onHedge: ({ upstream }) => hedges.push(upstream) })
    const ask = async (amountIn: bigint) =>
      await engine.quote(requestOf({ isExact: true, amountIn }))
    // Two tokens' places, then none: the first node loses until it is demoted.
    for (const amountIn of [1n, 2n, 3n, 4n, 5n, 6n]) await ask(amountIn)
    expect(engine.nodes()[0]).toMatchObject({ isDemoted: true })
    const before = hedges.length
    await ask(7n)
    expect(hedges.length).toBe(before)
  })
})
