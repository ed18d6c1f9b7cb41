import { createBudget, createUpstream, Standing } from '@sluice/rpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { blockHash, type FakeNode, startFakeNode } from '../../test/fakeNode.js'
import { engineOn, registry, requestOf } from '../../test/harness.js'
import { createChainState, hasFreshHead, noteHead } from '../ChainState.js'
import { getQuotes } from './getQuotes.js'
import { readPinned } from './readPinned.js'

/** The first node makes blocks up, and knows none of the others'; no answer arrives within the time for which a header counts as the latest. */
const [headFreshMs, delayMs] = [20, 60]
let nodes: FakeNode[]

beforeEach(async () => {
  nodes = await Promise.all([150, 100, 100].map((head) => startFakeNode({ head, delayMs })))
})

afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close()))
})

function stateOf(nodes: readonly { url: string }[], headFreshMs: number) {
  return createChainState({
    chain: registry.get(31_337)!,
    upstreams: nodes.map(({ url }, index) => createUpstream({ url, label: `31337#${index + 1}` })),
    maxBlockAgeMs: undefined,
    headFreshMs,
    maxFlights: 1,
    shared: undefined,
  })
}

describe('two honest nodes and one that runs ahead, all slower than a header is fresh', () => {
  test('behavior: who comes while the nodes are asked gets the block that two of them know', async () => {
    const engine = engineOn(nodes, { headFreshMs })
    const first = engine.quote(requestOf())
    // The nodes were asked for their heads before the second came, but for the one that it asks itself.
    await new Promise((resolve) => setTimeout(resolve, 10))
    const second = engine.quote(requestOf({ amountIn: 2n }))
    for (const answer of await Promise.all([first, second]))
      expect(answer.block).toMatchObject({ number: 100n, hash: blockHash(100) })
    engine.stop()
  })

  test('behavior: calls are pinned to the block that two of them know', async () => {
    const state = stateOf(nodes, headFreshMs)
    const read = await readPinned(state, [], { budgetMs: 2_000, now: Date.now })
    expect(read).toMatchObject({ ok: true, block: { number: 100n, hash: blockHash(100) } })
    for (const { agent } of state.upstreams) agent.destroy()
  })
})

describe('two honest nodes and one that runs ahead', () => {
  test('behavior: a piece of work of many quotes does not believe the one that it asks at the end', async () => {
    for (const node of nodes) node.delayMs = 0
    const engine = engineOn(nodes, { headFreshMs: 1 })
    const budget = createBudget({ requests: 36 })
    for (let amountIn = 1n; amountIn <= 8n; amountIn++) {
      const answer = await engine.quote(requestOf({ amountIn }), { budget }).catch(() => undefined)
      expect([amountIn, answer?.block.number ?? 100n]).toEqual([amountIn, 100n])
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await engine.stop()
  })

  /** Quotes on the head that the nodes had before they change. */
  async function quoteAfter(change: () => void) {
    for (const node of nodes) node.delayMs = 0
    // For as long as this process may be held up.
    const state = stateOf(nodes, 60_000)
    await getQuotes(state, [requestOf()], { now: Date.now })
    change()
    const [answer] = await getQuotes(state, [requestOf({ amountIn: 2n })], { now: Date.now })
    for (const { agent } of state.upstreams) agent.destroy()
    return answer
  }

  test('behavior: the block that two of them know is not given up because the third does not have it', async () => {
    const answer = await quoteAfter(() => {
      for (const node of nodes) node.head++
    })
    expect(answer).toMatchObject({
      value: { rpcTried: 2, block: { number: 100n, hash: blockHash(100) } },
    })
  })

  test('behavior: a block that two of them do not have is given up', async () => {
    const answer = await quoteAfter(() => {
      for (const node of nodes) Object.assign(node, { salt: 'reorganised', head: 101 })
    })
    expect(answer).toMatchObject({
      value: { rpcTried: 3, block: { number: 101n, hash: blockHash(101, 'reorganised') } },
    })
  })
})

/** A copy of the request goes to a node that was demoted so long ago. */
const [justNow, longAgo] = [0, 100_000]

test.each([
  ['runs ahead', { head: 150 }, justNow],
  ['runs ahead', { head: 150 }, longAgo],
  ['is on a branch of its own', { salt: 'fork' }, justNow],
  ['is on a branch of its own', { salt: 'fork' }, longAgo],
])(
  'behavior: where one of two %s, the third is heard, though slow and demoted',
  async (_, lie, ago) => {
    const [liar, honest, slow] = nodes
    Object.assign(liar!, { head: 100, ...lie, delayMs: 30 })
    honest!.delayMs = 0
    slow!.delayMs = 300
    const state = stateOf(nodes, 1_000)
    const demotedAt = performance.now() - ago
    for (let count = 0; count < 5; count++) Standing.fail(state.upstreams[2]!.standing, demotedAt)
    const [answer] = await getQuotes(state, [requestOf()], { now: Date.now })
    expect(answer).toMatchObject({ value: { block: { number: 100n, hash: blockHash(100) } } })
    for (const { agent } of state.upstreams) agent.destroy()
  },
)

describe('two honest nodes and one that fell behind', () => {
  const headOf = (number: number) => ({
    number: BigInt(number),
    hash: blockHash(number),
    parentHash: blockHash(number - 1),
    timestamp: BigInt(2 * number),
  })

  test('behavior: a block that an honest one has left is not the latest before the other one was heard', () => {
    const state = stateOf(nodes, 1_000)
    const [behind, first, last] = state.upstreams
    const now = performance.now()
    for (let number = 100; number <= 105; number++) noteHead(state, first!, headOf(number), now)
    noteHead(state, behind!, headOf(100), now)
    expect(hasFreshHead(state)).toBe(false)
    noteHead(state, last!, headOf(105), now)
    expect(hasFreshHead(state)).toBe(true)
    expect(state.head).toEqual(headOf(105))
  })

  test('behavior: if one of two has left the block of the other, the third is heard, though slow and demoted', async () => {
    const [behind, honest, slow] = nodes
    Object.assign(behind!, { head: 100, delayMs: 0 })
    Object.assign(honest!, { head: 105, delayMs: 0 })
    Object.assign(slow!, { head: 105, delayMs: 300 })
    const state = stateOf(nodes, 1_000)
    for (let number = 100; number <= 105; number++)
      noteHead(state, state.upstreams[1]!, headOf(number), performance.now())
    const demotedAt = performance.now() - longAgo
    for (let count = 0; count < 5; count++) Standing.fail(state.upstreams[2]!.standing, demotedAt)
    const [answer] = await getQuotes(state, [requestOf()], { now: Date.now })
    expect(answer).toMatchObject({ value: { block: { number: 105n } } })
    for (const { agent } of state.upstreams) agent.destroy()
  })

  test('behavior: if the chain moved while the nodes were asked, they are asked once more', async () => {
    const [behind, first, last] = nodes
    for (const node of nodes) Object.assign(node, { head: 100, delayMs: 0 })
    Object.assign(first!, { head: 103 })
    Object.assign(last!, { head: 105, delayMs: 50 })
    const state = stateOf(nodes, 1_000)
    for (let number = 100; number <= 103; number++)
      noteHead(state, state.upstreams[1]!, headOf(number), performance.now())
    const [answer] = await Promise.all([
      getQuotes(state, [requestOf()], { now: Date.now }).then(([only]) => only),
      // After it has answered the first question and before the second.
      expect
        .poll(() => behind!.requests >= 2 && first!.requests >= 1, { interval: 1 })
        .toBe(true)
        .then(() => Object.assign(first!, { head: 105 })),
    ])
    expect(answer).toMatchObject({ value: { block: { number: 105n } } })
    for (const { agent } of state.upstreams) agent.destroy()
  })

  test('behavior: a block that is on its way to one of two makes nobody wait', () => {
    const state = stateOf(nodes, 1_000)
    const [behind, first] = state.upstreams
    const now = performance.now()
    noteHead(state, first!, headOf(101), now)
    noteHead(state, behind!, headOf(100), now)
    expect(hasFreshHead(state)).toBe(true)
    expect(state.head).toEqual(headOf(100))
  })
})

test('behavior: nodes that answer calls but not for their head give no block of long ago', async () => {
  for (const node of nodes) Object.assign(node, { head: 100, delayMs: 0 })
  const engine = engineOn(nodes.slice(1), { headFreshMs })
  await engine.quote(requestOf())
  await new Promise((resolve) => setTimeout(resolve, 2 * headFreshMs))
  for (const node of nodes) Object.assign(node, { head: 102, fault: 'no headers' })
  expect(await engine.quote(requestOf({ amountIn: 2n }))).toMatchObject({ block: { number: 102n } })
  engine.stop()
})
