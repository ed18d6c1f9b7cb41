import type { Figure } from '../lib/figures.js'
import type { Chain } from './Chain.js'
import { type ChaosNode, startChaosNode } from './ChaosNode.js'
import { createOurEngine, isTrue, requestOf } from './clients.js'
import { type Fault, faults, lies } from './faults.js'
import { figureOf } from './figureOf.js'

/** How long nodes are at fault, how often one asks meanwhile, and how long a return is waited for. */
const [faultMs, pauseMs, waitMs] = [5_700, 100, 20_000]
/** Cases that run at a time; more would keep this process busy, and its own delay would be measured. */
const atOnce = 6

type Measured = { readonly askedAgainMs: number; readonly outageMs?: number }

/**
 * How soon nodes that have failed are asked again, and how soon an outage is over.
 *
 * For every fault: one node of three has it for a while, and is sound then; and all have it, and one of them is sound
 * then. Somebody asks ten times a second.
 */
export async function runComeback(chain: Chain): Promise<Figure[]> {
  const left = [...faults]
  const measured = new Map<Fault, Measured>()
  const work = async () => {
    for (let fault = left.shift(); fault; fault = left.shift())
      measured.set(fault, {
        askedAgainMs: await askedAgain(chain, fault),
        // What two of three nodes say of the chain is believed, so their lies are no outage.
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

/** Milliseconds until the first of three nodes is asked again, once it is sound. */
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

/** Milliseconds until somebody is answered rightly again, once one node of three is sound. */
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

/** Nodes, an engine on them that also looks at them by itself, and somebody who asks all the time. */
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
