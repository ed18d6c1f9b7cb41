import { createBudget, createUpstream, Standing } from '@sluice/rpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { blockHash, type FakeNode, startFakeNode } from '../../test/fakeNode.js'
import { engineOn, registry, requestOf } from '../../test/harness.js'
import { createChainState, hasFreshHead, noteHead } from '../ChainState.js'
import { getQuotes } from './getQuotes.js'
import { readPinned } from './readPinned.js'

/**
 * The first node invents blocks and has none of the others'. No answer arrives while a header still counts as the
 * latest.
 */
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

describe('two honest nodes and one that runs ahead, all slower than `headFreshMs`', () => {
  test('behavior: a caller who arrives during a head round gets the block that two nodes know', async () => {
    const engine = engineOn(nodes, { headFreshMs })
    const first = engine.quote(requestOf())
    // The head round began before the second caller arrived.
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
  test('behavior: many quotes on one budget never trust a single node when it runs out', async () => {
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

  /** Quotes on the head from before the change. */
  async function quoteAfter(change: () => void) {
    for (const node of nodes) node.delayMs = 0
    // Long enough even if this process is blocked.
    const state = stateOf(nodes, 60_000)
    await getQuotes(state, [requestOf()], { now: Date.now })
    change()
    const [answer] = await getQuotes(state, [requestOf({ amountIn: 2n })], { now: Date.now })
    for (const { agent } of state.upstreams) agent.destroy()
    return answer
  }

  test('behavior: a block that two nodes know is kept if the third does not have it', async () => {
    const answer = await quoteAfter(() => {
      for (const node of nodes) node.head++
    })
    expect(answer).toMatchObject({
      value: { rpcTried: 2, block: { number: 100n, hash: blockHash(100) } },
    })
  })

  test('behavior: a block that two nodes do not have is dropped', async () => {
    const answer = await quoteAfter(() => {
      for (const node of nodes) Object.assign(node, { salt: 'reorganized', head: 101 })
    })
    expect(answer).toMatchObject({
      value: { rpcTried: 3, block: { number: 101n, hash: blockHash(101, 'reorganized') } },
    })
  })
})

/** Time since the demotion; a node that was demoted long ago gets a copy of the request. */
const [justNow, longAgo] = [0, 100_000]

test.each([
  ['runs ahead', { head: 150 }, justNow],
  ['runs ahead', { head: 150 }, longAgo],
  ['is on a branch of its own', { salt: 'fork' }, justNow],
  ['is on a branch of its own', { salt: 'fork' }, longAgo],
])('behavior: if one of two %s, a slow and demoted third node decides', async (_, lie, ago) => {
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
})

describe('two honest nodes and one that fell behind', () => {
  const headOf = (number: number) => ({
    number: BigInt(number),
    hash: blockHash(number),
    parentHash: blockHash(number - 1),
    timestamp: BigInt(2 * number),
  })

  test('behavior: an old common block is not the latest until the third node has answered', () => {
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

  test('behavior: if one of two has moved beyond the block of the other, a slow and demoted third node decides', async () => {
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

  test('behavior: if the chain moves during a round, the nodes are asked again', async () => {
    const [behind, first, last] = nodes
    for (const node of nodes) Object.assign(node, { head: 100, delayMs: 0 })
    Object.assign(first!, { head: 103 })
    Object.assign(last!, { head: 105, delayMs: 50 })
    const state = stateOf(nodes, 1_000)
    for (let number = 100; number <= 103; number++)
      noteHead(state, state.upstreams[1]!, headOf(number), performance.now())
    const [answer] = await Promise.all([
      getQuotes(state, [requestOf()], { now: Date.now }).then(([only]) => only),
      // After the node's first answer and before its second.
      expect
        .poll(() => behind!.requests >= 2 && first!.requests >= 1, { interval: 1 })
        .toBe(true)
        .then(() => Object.assign(first!, { head: 105 })),
    ])
    expect(answer).toMatchObject({ value: { block: { number: 105n } } })
    for (const { agent } of state.upstreams) agent.destroy()
  })

  test('behavior: a block that one of two does not have yet delays nobody', () => {
    const state = stateOf(nodes, 1_000)
    const [behind, first] = state.upstreams
    const now = performance.now()
    noteHead(state, first!, headOf(101), now)
    noteHead(state, behind!, headOf(100), now)
    expect(hasFreshHead(state)).toBe(true)
    expect(state.head).toEqual(headOf(100))
  })
})

test('behavior: nodes that answer calls but not head requests yield no old block', async () => {
  for (const node of nodes) Object.assign(node, { head: 100, delayMs: 0 })
  const engine = engineOn(nodes.slice(1), { headFreshMs })
  await engine.quote(requestOf())
  await new Promise((resolve) => setTimeout(resolve, 2 * headFreshMs))
  for (const node of nodes) Object.assign(node, { head: 102, fault: 'no headers' })
  expect(await engine.quote(requestOf({ amountIn: 2n }))).toMatchObject({ block: { number: 102n } })
  engine.stop()
})
