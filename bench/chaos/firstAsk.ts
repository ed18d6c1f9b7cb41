import { type Figure, quantile } from '../lib/figures.js'
import type { Chain } from './Chain.js'
import { startChaosNode } from './ChaosNode.js'
import { createOurEngine, requestOf } from './clients.js'
import { figureOf } from './figureOf.js'

/** Number of fresh engines, and of consecutive requests to each. After five, the silent node is demoted. */
const [engines, asks] = [9, 8]

/** Measures the first quotes while the first of three nodes does not respond, with a dry run and without. */
export async function runFirstAsk(chain: Chain): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const isExact of [false, true]) {
    const times: number[][] = []
    while (times.length < engines) times.push(await ask(chain, isExact))
    const name = isExact ? 'exact' : 'plain'
    const median = (place: number) =>
      quantile(
        times.map((each) => each[place]!),
        0.5,
      )
    figures.push(
      figureOf(`hungFirst.${name}.first`, median(0), 'ms'),
      figureOf(`hungFirst.${name}.second`, median(1), 'ms'),
      figureOf(`hungFirst.${name}.last`, median(asks - 1), 'ms'),
    )
  }
  return figures
}

async function ask(chain: Chain, isExact: boolean): Promise<number[]> {
  const nodes = await Promise.all([0, 1, 2].map(() => startChaosNode(chain)))
  nodes[0]!.fault = () => 'hang'
  const engine = createOurEngine(nodes)
  const times: number[] = []
  try {
    for (let turn = 0; turn < asks; ++turn) {
      const startedAt = performance.now()
      await engine.quote(requestOf(10n ** 18n + BigInt(turn), { isExact }))
      times.push(performance.now() - startedAt)
    }
    return times
  } finally {
    await engine.stop()
    await Promise.all(nodes.map((node) => node.stop()))
  }
}
