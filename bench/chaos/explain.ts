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
  { askedAt, chain, engine, epoch, nodes, seed }: explain.Context,
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
    epoch: string
  }
}

function textOf({ block, cache, rpcTried }: QuoteAnswer) {
  return { number: `${block.number}`, hash: block.hash, parent: block.parentHash, cache, rpcTried }
}
