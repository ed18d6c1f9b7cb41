import { expect, test } from 'vitest'
import type { Failure } from './failures.js'
import { createHedging } from './Hedging.js'
import { race } from './race.js'
import { createUpstream, type Upstream } from './Upstream.js'

const budgetMs = 600
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

type Node = {
  ms: number
  /** Its time starts when the node with this index is asked. */
  after?: number
  failed?: Failure
  isRightLater?: boolean
}

/** Runs a race between nodes that respond after the given times. All are on one host, so that none is hedged. */
function run(nodes: readonly Node[]) {
  const turns = nodes.map(() => {
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    return { begin, begun }
  })
  const upstreams = nodes.map((_, index) =>
    createUpstream({ label: `1#${index + 1}`, url: 'http://127.0.0.1:1' }),
  )
  const failures: [string, Failure][] = []
  const asked = new Set<Upstream>()
  const attempt = async (upstream: Upstream, { timeoutMs }: race.AttemptOptions) => {
    const place = upstreams.indexOf(upstream)
    const { after, failed, isRightLater, ms } = nodes[place]!
    turns[place]!.begin()
    if (asked.has(upstream) && isRightLater) return undefined
    asked.add(upstream)
    if (after !== undefined) await turns[after]!.begun
    await wait(Math.min(ms, timeoutMs))
    return ms < timeoutMs ? failed : 'timeout'
  }
  const result = race({
    upstreams,
    endsAt: performance.now() + budgetMs,
    maxAttempts: 3,
    mode: 'preview',
    hedging: createHedging(),
    attempt,
    asksAgain: (failed) => (failed === 'moved' ? 'next' : undefined),
    onFailure: ({ label }, failure) => failures.push([label, failure]),
  })
  return result.then((ended) => ({ ...ended, failures }))
}

test('default: the first response ends the race', async () => {
  expect(await run([{ ms: 0 }, { ms: 0 }])).toEqual({ tried: 1, failure: undefined, failures: [] })
})

test('behavior: a node that exceeds its share of the time can still win if the others fail', async () => {
  const others = { ms: 0, failed: 'connect' } as const
  expect(await run([{ ms: 20, after: 2 }, others, others])).toEqual({
    tried: 3,
    failure: undefined,
    failures: [
      ['1#1', 'timeout'],
      ['1#2', 'connect'],
      ['1#3', 'connect'],
    ],
  })
})

test('behavior: asks the next node when the share of a silent one is over', async () => {
  expect(await run([{ ms: 10 * budgetMs }, { ms: 0 }, { ms: 0 }])).toEqual({
    tried: 2,
    failure: undefined,
    failures: [['1#1', 'timeout']],
  })
})

test('behavior: asks a node again after a move of the chain, although it exceeded its share and another is silent', async () => {
  const moved = { ms: 20, after: 1, failed: 'moved', isRightLater: true } as const
  expect(await run([moved, { ms: 10 * budgetMs }])).toEqual({
    tried: 3,
    failure: undefined,
    failures: [['1#1', 'timeout']],
  })
})

/** A race in which only the second of three nodes works, and first reports `moves` times that the chain moved. */
async function runMoves(moves: number) {
  const upstreams = [1, 2, 3].map((port) =>
    createUpstream({ label: `1#${port}`, url: `http://127.0.0.1:${port}` }),
  )
  let left = moves
  return await race({
    upstreams,
    endsAt: performance.now() + 20 * budgetMs,
    maxAttempts: 3,
    mode: 'preview',
    hedging: createHedging(),
    attempt: async (upstream) => {
      if (upstream !== upstreams[1]) return 'connect'
      return left-- > 0 ? 'moved' : undefined
    },
    asksAgain: (failed) => (failed === 'moved' ? 'last' : undefined),
  })
}

test('behavior: two moves of the chain cost no other node its turn, and a third ends the race', async () => {
  expect(await runMoves(2)).toEqual({ tried: 5, failure: undefined })
  expect(await runMoves(3)).toMatchObject({ tried: 5, failure: 'moved' })
})

test('behavior: time in which this process is blocked does not count against the node', async () => {
  const upstreams = [1, 2].map((port) =>
    createUpstream({ label: `1#${port}`, url: `http://127.0.0.1:${port}` }),
  )
  const hedging = createHedging()
  const attempt = async () => {
    await undefined
    // Blocks for longer than the hedge delay; then the response arrives in several chunks.
    const endsAt = performance.now() + 2 * hedging.delayMs('preview')
    while (performance.now() < endsAt);
    for (let piece = 0; piece < 4; piece++) await wait(1)
    return undefined
  }
  const result = await race({
    upstreams,
    endsAt: performance.now() + 20 * budgetMs,
    maxAttempts: 3,
    mode: 'preview',
    hedging,
    attempt,
    asksAgain: () => undefined,
  })
  expect(result).toEqual({ tried: 1, failure: undefined })
})

test('error: ends at the timeout if all nodes are silent', async () => {
  const silent = { ms: 10 * budgetMs }
  expect(await run([silent, silent, silent])).toMatchObject({ tried: 3, failure: 'timeout' })
})
