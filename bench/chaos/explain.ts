import type { Engine, QuoteAnswer } from '@sluice/engine'
import type { Chain } from './Chain.js'
import type { ChaosNode } from './ChaosNode.js'
import { headFreshMs } from './clients.js'

/**
 * Returns one line of JSON about a response that breaks a rule: the response, the chain at the start and the end of the
 * request, what the nodes did, and what the engine knew about them. Times are monotonic milliseconds.
 *
 * @param askedAt Start of the request, or the earliest start of the flight that it joined.
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

/** Recent failures of nodes and sources that the engine reported. */
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
