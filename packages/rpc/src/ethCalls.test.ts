import { afterEach, expect, test } from 'vitest'
import { type Asked, type Say, startNode, type TestNode } from '../test/startNode.js'
import { ethCalls } from './ethCalls.js'
import type { Hex } from './Hex.js'
import { createUpstream, type Upstream } from './Upstream.js'

const hash: Hex = `0x${'ab'.repeat(32)}`
const header = { method: 'eth_getBlockByNumber', params: ['0x64', false] }
const to: Hex = '0x00000000000000000000000000000000000000aa'
const funds = { [to]: { stateDiff: { [hash]: hash } } }
const call = { to, data: '0x1234' as Hex, gas: 30_000_000n }

let node: TestNode
let upstream: Upstream

afterEach(() => node.close())

/** Sends the same call and header read to a node twice. Returns the outcome of the call, and the calls sent the first time. */
async function ask(say: Say, changes: { funds?: typeof funds } = {}) {
  node = await startNode((asked) =>
    asked.method === header.method ? { result: { hash } } : say(asked),
  )
  upstream = createUpstream({ url: node.url, label: 'test#1' })
  const request = {
    reads: [header],
    calls: [{ ...call, ...changes }],
    at: { number: 100n, hash },
  }
  const first = await ethCalls(upstream, request, { timeoutMs: 5_000 })
  const count = node.bodies.length
  const second = await ethCalls(upstream, request, { timeoutMs: 5_000 })
  expect(second).toEqual(first)
  const sent = node.bodies.map((body) => (body as Asked[])[1]!.params)
  expect(sent.slice(count)).toEqual([sent[count - 1]])
  return { outcome: first[1], sent: sent.slice(0, count) }
}

const fields = { to, data: '0x1234' }
const done = { ok: true, result: '0x01' }

test('default: sends a call with the block hash and its state override', async () => {
  const { outcome, sent } = await ask(() => ({ result: '0x01' }), { funds })
  expect(outcome).toEqual(done)
  expect(sent).toEqual([[{ ...fields, gas: '0x1c9c380' }, { blockHash: hash }, funds]])
})

test.each([
  ['names', 'gas limit 30000000 exceeds the maximum of 12000000', '0xb71b00'],
  ['does not name', 'gas limit is too high', '0x1000000'],
])('behavior: sends less gas to a node that %s its gas cap', async (_, message, gas) => {
  const { outcome, sent } = await ask(({ params }) =>
    BigInt((params[0] as { gas: Hex }).gas) > BigInt(gas)
      ? { error: { code: -32_000, message } }
      : { result: '0x01' },
  )
  expect(outcome).toEqual(done)
  expect(sent.map(([each]) => (each as { gas: Hex }).gas)).toEqual(['0x1c9c380', gas])
})

test('behavior: sends the block number to a node that rejects hashes, with any error message', async () => {
  const { outcome, sent } = await ask(({ params }) =>
    typeof params[1] === 'string'
      ? { result: '0x01' }
      : { error: { code: -32_000, message: 'nope' } },
  )
  expect(outcome).toEqual(done)
  expect(sent.map(([, block]) => block)).toEqual([{ blockHash: hash }, '0x64'])
})

test('behavior: leaves out optional state for a node that rejects state overrides', async () => {
  const { outcome, sent } = await ask(
    ({ params }) =>
      params.length > 2
        ? { error: { code: -32_602, message: 'too many arguments, want at most 2' } }
        : { result: '0x01' },
    { funds },
  )
  expect(outcome).toEqual(done)
  expect(sent.at(-1)).toHaveLength(2)
})

test('error: a revert does not change what is known about the node', async () => {
  const { outcome, sent } = await ask(() => ({
    error: { code: 3, message: 'execution reverted: gas limit is too high', data: '0x99' },
  }))
  expect(outcome).toEqual({ ok: false, failure: 'revert', data: '0x99', gasCap: undefined })
  expect(sent).toHaveLength(1)
  expect(upstream.can).toMatchObject({ gasCap: undefined, takesBlockHash: true })
})

const foreign = { [to]: { balance: '0x1', stateDiff: { [`0x${'cd'.repeat(32)}`]: hash } } } as const

test('default: merges the state that a stranger chose, slot by slot, below the own one', async () => {
  node = await startNode(() => ({ result: '0x01' }))
  upstream = createUpstream({ url: node.url, label: 'test#1' })
  const own = { [to]: { stateDiff: { [hash]: `0x${'01'.repeat(32)}` } } } as const
  const calls = [
    {
      ...call,
      foreign: {
        [to]: { ...foreign[to]!, stateDiff: { [hash]: hash, ...foreign[to]!.stateDiff } },
      },
      funds: own,
    },
  ]
  await ethCalls(upstream, { reads: [], calls, at: 'latest' }, { timeoutMs: 5_000 })
  const [sent] = node.bodies.flat() as Asked[]
  expect(sent!.params[2]).toEqual({
    [to]: { balance: '0x1', stateDiff: { ...foreign[to]!.stateDiff, ...own[to]!.stateDiff } },
  })
})

test('behavior: learns nothing from the failure of a call with a state that a stranger chose', async () => {
  node = await startNode(({ method, params }) => {
    if (method === header.method) return { result: { hash } }
    const isForeign = JSON.stringify(params[2] ?? '').includes('cdcd')
    return isForeign
      ? { error: { code: -32_602, message: 'invalid argument 2: too many state overrides' } }
      : { result: '0x01' }
  })
  upstream = createUpstream({ url: node.url, label: 'test#1' })
  const before = { ...upstream.can }
  const calls = [{ ...call, foreign }, { ...call, funds }, call]
  const at = { number: 100n, hash } as const
  const outcomes = await ethCalls(upstream, { reads: [header], calls, at }, { timeoutMs: 5_000 })
  expect(outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.failure))).toEqual([
    'ok',
    'unsupported',
    'ok',
    'ok',
  ])
  expect(upstream.can).toEqual(before)
  expect(node.bodies).toHaveLength(1)
})
