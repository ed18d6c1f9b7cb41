import type { Engine, QuoteAnswer } from '@sluice/engine'
import type { Chain } from './Chain.js'
import type { ChaosNode } from './ChaosNode.js'
import { headFreshMs } from './clients.js'

/**
 * One line of JSON about an answer that breaks a rule: what was said, what was true when it was asked for and when it
 * came, what the nodes did and what the engine holds of them. Times are monotonic milliseconds.
 *
 * @param askedAt When the answer was asked for, or the flight that was joined at the earliest.
 */
export function explain(
  name: string,
  answer: QuoteAnswer | string,
  { askedAt, chain, engine, epoch, failures, nodes, seed }: explain.Context,
): string {
  return JSON.stringify({
    violated: name,
    seed,
    askedAt: Math.round(askedAt),
    answeredAt: Math.round(performance.now()),
    answer: typeof answer === 'string' ? answer : textOf(answer),
    tip: { asked: chain.tipAt(askedAt - headFreshMs), answered: chain.tip().number },
    branches:
      typeof answer === 'string'
        ? []
        : chain.everAt(Number(answer.block.number)).map(({ hash }) => ({
            hash,
            wasCanonical: chain.wasCanonical(hash, askedAt - headFreshMs),
          })),
    epoch,
    nodes: engine.nodes().map((node, index) => ({ ...node, changes: nodes[index]!.changes })),
    failures: failures.since(askedAt),
    head: `${engine.health()[0]?.head}`,
  })
}

export declare namespace explain {
  type Context = {
    seed: number
    askedAt: number
    chain: Chain
    engine: Engine
    nodes: readonly ChaosNode[]
    failures: Failures
    epoch: string
  }
}

function textOf({ block, cache, rpcTried }: QuoteAnswer) {
  return { number: `${block.number}`, hash: block.hash, parent: block.parentHash, cache, rpcTried }
}

/** What the engine was told of nodes and sources lately. */
export type Failures = {
  readonly note: (of: string, failure: string) => void
  readonly since: (time: number) => readonly string[]
}

const [keptFailures, toldFailures] = [1_000, 24]

export function createFailures(): Failures {
  const kept: { at: number; text: string }[] = []
  return {
    note(of, failure) {
      const at = performance.now()
      kept.push({ at, text: `${Math.round(at)} ${of} ${failure}` })
      if (kept.length > keptFailures) kept.shift()
    },
    since: (time) =>
      kept
        .filter(({ at }) => at >= time)
        .slice(-toldFailures)
        .map(({ text }) => text),
  }
}
