import type { Figure } from '../lib/figures.js'
import type { Chain } from './Chain.js'
import { type ChaosNode, startChaosNode } from './ChaosNode.js'
import { createOurEngine, isTrue, requestOf } from './clients.js'
import { type Fault, faults, lies } from './faults.js'
import { figureOf } from './figureOf.js'

/** Duration of a fault, pause between requests, and timeout for the recovery. */
const [faultMs, pauseMs, waitMs] = [5_700, 100, 20_000]
/** Cases that run at the same time. More would keep this process busy, and its own delay would be measured. */
const atOnce = 6

type Measured = { readonly askedAgainMs: number; readonly outageMs?: number }

/**
 * Measures how soon failed nodes are used again, and how soon an outage is over.
 *
 * For every fault: one of three nodes has the fault for a while and then recovers; then all nodes have it, and one of them
 * recovers. A client sends ten requests per second.
 */
export async function runComeback(chain: Chain): Promise<Figure[]> {
  const left = [...faults]
  const measured = new Map<Fault, Measured>()
  const work = async () => {
    for (let fault = left.shift(); fault; fault = left.shift())
      measured.set(fault, {
        askedAgainMs: await askedAgain(chain, fault),
        // The engine believes two of three nodes about the chain, so lies of two are not an outage.
        ...(!lies.includes(fault) && { outageMs: await outage(chain, fault) }),
      })
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const figures = [...measured].flatMap(([fault, { askedAgainMs, outageMs }]) => [
    figureOf(`comeback.${fault}.askedAgain`, askedAgainMs, 'ms'),
    ...(outageMs === undefined ? [] : [figureOf(`comeback.${fault}.outage`, outageMs, 'ms')]),
  ])
  const most = (key: keyof Measured) =>
    Math.max(...[...measured.values()].map((each) => each[key] ?? 0))
  return [
    ...figures,
    figureOf('comeback.askedAgain.max', most('askedAgainMs'), 'ms'),
    figureOf('comeback.outage.max', most('outageMs'), 'ms'),
  ]
}

/** Returns the milliseconds from the recovery of the first of three nodes until it gets a request. */
async function askedAgain(chain: Chain, fault: Fault): Promise<number> {
  return await withAsker(chain, async ([first]) => {
    first!.fault = () => fault
    await sleep(faultMs)
    first!.fault = () => undefined
    const [before, since] = [first!.requests, performance.now()]
    await until(() => first!.requests > before)
    return performance.now() - since
  })
}

/** Returns the milliseconds from the recovery of one of three nodes until a client gets a correct quote. */
async function outage(chain: Chain, fault: Fault): Promise<number> {
  return await withAsker(chain, async (nodes, answered) => {
    for (const node of nodes) node.fault = () => fault
    await sleep(faultMs)
    nodes[1]!.fault = () => undefined
    const since = performance.now()
    await until(() => answered() >= since)
    return performance.now() - since
  })
}

/** Starts nodes, an engine with background checks of nodes, and a client that sends requests all the time. */
async function withAsker(
  chain: Chain,
  act: (nodes: readonly ChaosNode[], answeredAt: () => number) => Promise<number>,
): Promise<number> {
  const nodes = await Promise.all([1, 2, 3].map(() => startChaosNode(chain)))
  const engine = createOurEngine(nodes)
  let [isOver, answeredAt, amountIn] = [false, Number.NEGATIVE_INFINITY, 10n ** 18n]
  engine.startProbing()
  const ask = async () => {
    const asked = ++amountIn
    const startedAt = performance.now()
    const answer = await engine.quote(requestOf(asked)).catch(() => undefined)
    if (answer && isTrue(chain, asked, answer.quote.plan, startedAt)) answeredAt = startedAt
  }
  const asking = (async () => {
    while (!isOver) {
      void ask()
      await sleep(pauseMs)
    }
  })()
  try {
    await until(() => answeredAt > 0)
    return await act(nodes, () => answeredAt)
  } finally {
    isOver = true
    await asking
    await engine.stop()
    await Promise.all(nodes.map((node) => node.stop()))
  }
}

async function until(isSo: () => boolean): Promise<void> {
  const endsAt = performance.now() + waitMs
  while (!isSo() && performance.now() < endsAt) await sleep(2)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
