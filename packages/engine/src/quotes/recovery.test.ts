import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeNode, planOf, startFakeNode } from '../../test/fakeNode.js'
import { engineOn, requestOf } from '../../test/harness.js'
import type { Engine } from '../index.js'

/** The real timer, since sockets do not follow the fake clock. */
const { setTimeout: schedule } = globalThis
const sleep = (ms: number) => new Promise((resolve) => schedule(resolve, ms))

const genesis = 1_700_000_000
const blockMs = 2_000
/** Step of the fake clock, and the real time that each step waits for I/O. */
const [stepMs, listenMs] = [500, 15]
const hourMs = 3_600_000
/** Promised maximum time between the first healthy node and the end of an outage. */
const promisedMs = 10_000

let nodes: FakeNode[]
let ill: Set<FakeNode>
let engine: Engine
let amountIn = 0n

beforeEach(async () => {
  nodes = await Promise.all([startFakeNode(), startFakeNode(), startFakeNode()])
  ill = new Set()
  vi.useFakeTimers({
    now: (genesis + 100_000) * 1_000,
    toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'],
  })
  for (const node of nodes) node.genesis = genesis
  makeBlocks()
  engine = engineOn(nodes, { maxBlockAge: 15_000 })
})

afterEach(async () => {
  vi.useRealTimers()
  await engine.stop()
  await Promise.all(nodes.map((node) => node.close()))
})

const ailments: [string, (node: FakeNode) => void][] = [
  ['hang', (node) => set(node, { fault: 'hang' })],
  ['reset connections', (node) => set(node, { fault: 'reset' })],
  ['answer 503', (node) => set(node, { fault: { status: 503 } })],
  ['ask for an hour of rest', (node) => set(node, { fault: { status: 429, retryAfter: 3_600 } })],
  ['answer 401', (node) => set(node, { fault: { status: 401 } })],
  ['answer 200 with HTML', (node) => set(node, { fault: 'html' })],
  ['answer with wrong ids', (node) => set(node, { fault: 'wrong id' })],
  ['serve another chain', (node) => set(node, { chainId: 1n })],
  ['stop following the chain', () => {}],
  ['say that everything reverts', (node) => set(node, { refuse: () => reverts })],
  ['say that everything runs out of gas', (node) => set(node, { refuse: () => halts })],
  ['answer with plans that do not add up', (node) => set(node, { plan: brokenPlan })],
  ['have lost their state', (node) => set(node, { refuse: () => pruned })],
]
const reverts = { code: 3, message: 'execution reverted' }
const halts = { code: -32_000, message: 'out of gas' }
const pruned = { code: -32_000, message: 'missing trie node' }
const brokenPlan: FakeNode['plan'] = (ask) => planOf(ask, { netOut: 1n })

test.each(ailments)('property: an outage in which all nodes %s ends in time', async (_, fall) => {
  engine.startProbing()
  expect(await quote()).toBe(true)
  for (const node of nodes) {
    ill.add(node)
    fall(node)
  }
  for (let round = 0; round < 6; round++) {
    await quote()
    await pass(2 * stepMs)
  }
  await pass(hourMs, hourMs)
  await quote()
  await pass(4 * stepMs)

  // The first healthy node; the others stay as they are.
  heal(nodes[1]!)
  expect(await msUntil(quote)).toBeLessThanOrEqual(promisedMs)

  for (const node of nodes) heal(node)
  const areAllBack = async () => engine.nodes().every((node) => !node.isDemoted && !node.isExcluded)
  expect(await msUntil(areAllBack)).toBeLessThanOrEqual(promisedMs)
})

function set(node: FakeNode, changes: Partial<FakeNode>) {
  Object.assign(node, changes)
}

function heal(node: FakeNode) {
  ill.delete(node)
  set(node, {
    fault: undefined,
    chainId: 31_337n,
    refuse: () => undefined,
    plan: (ask) => planOf(ask),
  })
  makeBlocks()
}

/** Moves the healthy nodes to the block of the current time. */
function makeBlocks() {
  for (const node of nodes)
    if (!ill.has(node)) node.head = Math.floor((Date.now() - genesis * 1_000) / blockMs)
}

/** Advances the clock step by step, with real time for I/O. */
async function pass(ms: number, step = stepMs) {
  for (let passed = 0; passed < ms; passed += step) {
    vi.advanceTimersByTime(step)
    makeBlocks()
    await sleep(listenMs)
  }
}

/** Whether a trade that was not quoted before gets a quote. */
async function quote(): Promise<boolean> {
  let isAnswered: boolean | undefined
  const request = requestOf({ amountIn: ++amountIn })
  engine.quote(request).then(
    () => {
      isAnswered = true
    },
    () => {
      isAnswered = false
    },
  )
  // Wait for I/O first, without advancing the clock.
  for (let listened = 0; listened < 3 && isAnswered === undefined; listened++) await sleep(listenMs)
  while (isAnswered === undefined) await pass(stepMs)
  return isAnswered
}

async function msUntil(isSo: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now()
  while (!(await isSo()) && performance.now() - startedAt <= 2 * promisedMs) await pass(stepMs)
  return performance.now() - startedAt
}
