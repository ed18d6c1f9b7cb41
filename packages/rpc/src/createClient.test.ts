import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { type Say, startNode, type TestNode } from '../test/startNode.js'
import { createBudget } from './Budget.js'
import { type Client, createClient } from './createClient.js'

const calls = [
  { method: 'eth_blockNumber', params: [] },
  { method: 'eth_chainId', params: [] },
]
const chain: Say = ({ method }) => ({ result: method === 'eth_chainId' ? '0x1' : '0x64' })
const answer = {
  ok: true,
  outcomes: [
    { ok: true, result: '0x64' },
    { ok: true, result: '0x1' },
  ],
}
const fails: Say = () => ({ error: { code: -32_603, message: 'Internal error' } })
const timeoutMs = 5_000

const nodes: TestNode[] = []
let client: Client | undefined

afterEach(async () => {
  client?.stop()
  await Promise.all(nodes.splice(0).map((node) => node.close()))
})

async function start(...started: Parameters<typeof startNode>[]) {
  for (const each of started) nodes.push(await startNode(...each))
  client = createClient({ name: 'test', urls: nodes.map(({ url }) => url) })
  return client
}

const requestsOf = () => nodes.map(({ bodies }) => bodies.length)

describe('request', () => {
  test('default: returns outcomes in the order of the calls, with one request to the first node', async () => {
    const { request } = await start([chain], [chain])
    expect(await request(calls, { timeoutMs })).toEqual(answer)
    expect(requestsOf()).toEqual([1, 0])
  })

  test('behavior: returns a revert with its data, and asks no other node', async () => {
    const { request } = await start(
      [() => ({ error: { code: 3, message: 'execution reverted', data: '0x12' } })],
      [chain],
    )
    expect(await request(calls.slice(1), { timeoutMs })).toEqual({
      ok: true,
      outcomes: [{ ok: false, failure: 'revert', data: '0x12' }],
    })
    expect(requestsOf()).toEqual([1, 0])
  })

  test('behavior: asks a node on another host if one hangs', async () => {
    const { request } = await start([chain, () => true], [chain])
    expect(await request(calls, { timeoutMs })).toEqual(answer)
    expect(requestsOf()).toEqual([1, 1])
  })

  const long = (response: ServerResponse) => response.end(`[${' '.repeat(300_000)}`)
  test.each<[string, Parameters<typeof startNode>]>([
    ['fails', [fails]],
    ['sends too many bytes', [chain, (_, response) => Boolean(long(response))]],
    ['sends something other than JSON', [chain, (_, response) => Boolean(response.end('<html>'))]],
    ['responds with another id', [({ id }) => ({ id: id + 7, result: '0x1' }) as never]],
    ['responds with null', [() => ({ result: null })]],
  ])('behavior: asks the next node if one %s', async (_, node) => {
    const { request } = await start(node, [chain])
    expect(await request(calls, { timeoutMs })).toEqual(answer)
    expect(requestsOf()).toEqual([1, 1])
  })

  test('behavior: the budget counts every request, including one sent again on a new connection', async () => {
    // Each request on a kept connection finds it closed.
    const { request } = await start([
      chain,
      (request, _, count) => count > 1 && Boolean(request.socket.resetAndDestroy()),
    ])
    await request(calls, { timeoutMs })
    const budget = createBudget({ requests: 2 })
    expect(await request(calls, { timeoutMs, budget })).toEqual({ ok: false, failure: 'connect' })
    expect(requestsOf()).toEqual([3])
    expect(budget.isSpent()).toBe(true)
    expect(await request(calls, { timeoutMs, budget })).toEqual({ ok: false, failure: 'cancelled' })
    expect(requestsOf()).toEqual([3])
  })

  test('behavior: asks a failing node last, and restores it once it responds', async () => {
    let isBroken = true
    const first: Say = (asked) => (isBroken ? fails : chain)(asked)
    const { nodes: states, request } = await start([first], [chain])
    for (let count = 0; count < 5; count++) await request(calls, { timeoutMs })
    expect(states()).toEqual([
      { label: 'test#1', isDemoted: true, isResting: false },
      { label: 'test#2', isDemoted: false, isResting: false },
    ])
    isBroken = false
    const isBack = async () => {
      expect(await request(calls, { timeoutMs })).toEqual(answer)
      return !states()[0]!.isDemoted
    }
    await expect.poll(isBack, { interval: 1, timeout: 30_000 }).toBe(true)
    const before = requestsOf()
    await request(calls, { timeoutMs })
    expect(requestsOf()).toEqual([before[0]! + 1, before[1]])
  })

  test('behavior: sends no requests to a node for the time of its Retry-After', async () => {
    const { nodes: states, request } = await start(
      [chain, (_, response) => Boolean(response.writeHead(429, { 'retry-after': '30' }).end())],
      [chain],
    )
    await request(calls, { timeoutMs })
    expect(states()[0]).toEqual({ label: 'test#1', isDemoted: false, isResting: true })
    await request(calls, { timeoutMs })
    expect(requestsOf()).toEqual([1, 2])
  })

  test('error: reveals neither the URL nor the error text of a node', async () => {
    const secret = 'key-5ec2e7'
    const say: Say = () => ({ error: { code: -32_603, message: `no such ${secret}` } })
    nodes.push(await startNode(say))
    const { url } = nodes[0]!
    client = createClient({ name: 'test', urls: [`${url}/${secret}`] })
    const reports: unknown[] = []
    const found = await client.request(calls, {
      timeoutMs,
      onFailure: (each) => reports.push(each),
    })
    expect(found).toEqual({ ok: false, failure: 'server' })
    expect(reports).toEqual([{ label: 'test#1', failure: 'server' }])
  })

  test('error: ends at the timeout, at an abort, and without any node', async () => {
    const { request } = await start([chain, () => true])
    expect(await request(calls, { timeoutMs: 100 })).toEqual({ ok: false, failure: 'timeout' })
    const signal = AbortSignal.abort()
    expect(await request(calls, { timeoutMs, signal })).toEqual({ ok: false, failure: 'cancelled' })
    const none = createClient({ name: 'none', urls: [] })
    expect(await none.request(calls, { timeoutMs })).toEqual({ ok: false, failure: 'connect' })
  })
})
