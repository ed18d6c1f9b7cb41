import { type Figure, quantile } from '../lib/figures.js'
import type { Chain } from './Chain.js'
import { startChaosNode } from './ChaosNode.js'
import { createOurs } from './clients.js'
import { figureOf } from './figureOf.js'
import { askMany } from './matrix.js'

const [asks, inFlight] = [500, 10]
const afterMs = 10_000

/** Measures how much slower quotes still are ten seconds after the first node stopped responding. */
export async function runRecovery(chain: Chain): Promise<Figure[]> {
  const healthy = await p99After(chain, false)
  const hung = await p99After(chain, true)
  return [
    figureOf('hungPrimary.later.p99', hung, 'ms'),
    figureOf('hungPrimary.later.ratio', hung / healthy, 'ratio'),
  ]
}

async function p99After(chain: Chain, isHung: boolean): Promise<number> {
  const nodes = await Promise.all([1, 2, 3].map(() => startChaosNode(chain)))
  const client = createOurs(chain, nodes)
  try {
    if (isHung) nodes[0]!.fault = () => 'hang'
    const endsAt = performance.now() + afterMs
    for (let turn = 1; performance.now() < endsAt; turn++) await askMany(client, 50, inFlight, turn)
    const outcomes = await askMany(client, asks, inFlight, 10 ** 6)
    return quantile(
      outcomes.map(({ tookMs }) => tookMs),
      0.99,
    )
  } finally {
    client.stop()
    await Promise.all(nodes.map((node) => node.stop()))
  }
}
