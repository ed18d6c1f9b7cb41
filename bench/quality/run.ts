import type { Figure } from '../lib/figures.js'
import { startNode } from '../lib/startNode.js'
import * as Market from '../optimizer/Market.js'
import * as Oracle from '../optimizer/Oracle.js'
import { deployMarket } from './deployMarket.js'
import { figuresOf } from './figuresOf.js'
import { generateMarkets } from './generateMarkets.js'
import { loadTrades, type StoredTrade } from './loadTrades.js'
import { measureTrade, type Outcome } from './measureTrade.js'

/**
 * Quality of the routes that the deployed protocol quotes on markets of real pools, against the float optimum: over the
 * pools between the tokens in play (`solver`), and over all pools (`market`).
 *
 * Every market stands on a fresh node; every stored trade that can be put there is asked, none is skipped. Seeded
 * made-up markets of mixed decimals follow as sets of their own; `all` is the stored ones.
 */
export async function run({ dir, seed = 1 }: { dir: string; seed?: number }): Promise<Figure[]> {
  const oracle = await Oracle.load(dir)
  const trades = loadTrades(dir)
  const figures: Figure[] = []
  const everything: Outcome[] = []
  for (const market of Market.loadAll(dir)) {
    const ofMarket = trades.filter((trade) => trade.market === market.id)
    const outcomes = await measureMarket(dir, oracle, market, ofMarket)
    figures.push(...figuresOf(market.id, outcomes))
    everything.push(...outcomes)
  }
  figures.push(...figuresOf('all', everything))
  const generated = new Map<string, Outcome[]>()
  for (const { market, set, trades: drawn } of generateMarkets(oracle, seed)) {
    const outcomes = await measureMarket(dir, oracle, market, drawn)
    generated.set(set, [...(generated.get(set) ?? []), ...outcomes])
  }
  for (const [set, outcomes] of generated)
    figures.push(...figuresOf(`${set}-seed-${seed}`, outcomes))
  return figures
}

async function measureMarket(
  dir: string,
  oracle: Oracle.Oracle,
  market: Market.Market,
  trades: readonly StoredTrade[],
): Promise<Outcome[]> {
  if (trades.length === 0) return []
  const node = await startNode()
  try {
    const deployed = await deployMarket(dir, market, node)
    const outcomes: Outcome[] = []
    for (const trade of trades) {
      outcomes.push(await measureTrade({ node, oracle, market, deployed, trade }))
    }
    return outcomes
  } finally {
    await node.stop()
  }
}
