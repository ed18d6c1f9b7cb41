import type { Figure } from '../lib/figures.js'
import * as Market from '../optimizer/Market.js'
import * as Oracle from '../optimizer/Oracle.js'
import * as Random from '../optimizer/Random.js'
import { deployMarket } from './deployMarket.js'
import { figuresOf } from './figuresOf.js'
import { loadTrades, type StoredTrade } from './loadTrades.js'
import { drawMade } from './made/drawMade.js'
import { makeMarket } from './made/makeMarket.js'
import { measureTrade, type Outcome } from './measureTrade.js'
import type { Standing } from './Standing.js'

/** Made-up sets: how many pools a market has, and how many tokens a pool has at most. */
const madeSets = [
  { name: 'generated-30', size: 30, mostTokens: 2 },
  { name: 'generated-60', size: 60, mostTokens: 2 },
  { name: 'generated-30-three-tokens', size: 30, mostTokens: 3 },
] as const
const marketsOfASet = 4
const tradesOfAMarket = 20

/**
 * Quality of the routes that the deployed protocol quotes on markets of real pools, against the float optimum: over the
 * pools between the tokens in play (`solver`), and over all pools (`market`).
 *
 * Every market stands on a fresh node; every stored trade that can be put there is asked, none is skipped. Seeded
 * made-up markets of all kinds of pools follow as sets of their own, which name their seeds; `all` is the stored ones.
 */
export async function run({ dir, seed = 1 }: { dir: string; seed?: number }): Promise<Figure[]> {
  const oracle = await Oracle.load(dir)
  const trades = loadTrades(dir)
  const figures: Figure[] = []
  const everything: Outcome[] = []
  for (const market of Market.loadAll(dir)) {
    const ofMarket = trades.filter((trade) => trade.market === market.id)
    if (ofMarket.length === 0) continue
    const outcomes = await measureMarket(oracle, await deployMarket(dir, oracle, market), ofMarket)
    figures.push(...figuresOf(market.id, outcomes))
    everything.push(...outcomes)
  }
  figures.push(...figuresOf('all', everything))
  for (const made of madeSets) {
    const outcomes: Outcome[] = []
    for (let index = 0; index < marketsOfASet; index++)
      outcomes.push(...(await measureMade(oracle, made, seed + index)))
    const set = `${made.name}-seeds-${seed}-to-${seed + marketsOfASet - 1}`
    figures.push(...figuresOf(set, outcomes))
  }
  return figures
}

/** One made-up market, all of which follows from its set and seed. */
export async function measureMade(
  oracle: Oracle.Oracle,
  { mostTokens, name, size }: (typeof madeSets)[number],
  seed: number,
  report?: (standing: Standing, trade: StoredTrade, outcome: Outcome) => void,
): Promise<Outcome[]> {
  const random = Random.from(seed + 1000 * size)
  const id = `${name}-seed-${seed}`
  const standing = await makeMarket(oracle, random, { id, mostTokens, size })
  const trades = drawMade(random, oracle, standing, tradesOfAMarket)
  return await measureMarket(oracle, standing, trades, report)
}

async function measureMarket(
  oracle: Oracle.Oracle,
  standing: Standing,
  trades: readonly StoredTrade[],
  report?: (standing: Standing, trade: StoredTrade, outcome: Outcome) => void,
): Promise<Outcome[]> {
  try {
    const outcomes: Outcome[] = []
    for (const trade of trades) {
      const outcome = await measureTrade(standing, { oracle, trade })
      report?.(standing, trade, outcome)
      outcomes.push(outcome)
    }
    return outcomes
  } finally {
    await standing.stop()
  }
}
