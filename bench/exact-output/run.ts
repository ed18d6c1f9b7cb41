import { type Figure, quantile } from '../lib/figures.js'
import * as Market from '../optimizer/Market.js'
import * as Oracle from '../optimizer/Oracle.js'
import * as Random from '../optimizer/Random.js'
import { deployMarket } from '../quality/deployMarket.js'
import { loadTrades } from '../quality/loadTrades.js'
import { drawMade } from '../quality/made/drawMade.js'
import { measureOutput, type Outcome } from './measureOutput.js'

/** Drawn trades for each market, beside the stored ones: about 300 in all. */
const tradesOfAMarket = 80
/** Minimum value of the output, relative to the input, of drawn trades. */
const leastWorth = 0.5

/**
 * Asks for the outputs of stored and drawn trades on the markets of real pools, and executes every answer with a tolerance of
 * zero on the real Router.
 */
export async function run(options: {
  dir: string
  seed?: number
  /** Drawn trades for each market. */
  count?: number
}): Promise<Figure[]> {
  const { count = tradesOfAMarket, dir, seed = 1 } = options
  const oracle = await Oracle.load(dir)
  const stored = loadTrades(dir)
  const outcomes: Outcome[] = []
  for (const [index, market] of Market.loadAll(dir).entries()) {
    const standing = await deployMarket(dir, oracle, market)
    try {
      // On a busy machine, a block of automatic mining could come between the transactions and the reads after them.
      await standing.rpc.request('evm_setAutomine', [false])
      const random = Random.from(seed + 100 * index)
      const ofMarket = stored.filter((trade) => trade.market === market.id)
      const drawn = drawMade(random, oracle, standing, { count, minWorth: leastWorth })
      for (const trade of [...ofMarket, ...drawn]) {
        const outcome = await measureOutput(standing, { oracle, trade })
        if (outcome) outcomes.push(outcome)
      }
    } finally {
      await standing.stop()
    }
  }
  return figuresOf(`seed-${seed}`, outcomes)
}

function figuresOf(set: string, outcomes: readonly Outcome[]): Figure[] {
  const count = (test: (outcome: Outcome) => boolean) => outcomes.filter(test).length
  const gaps = outcomes.flatMap(({ gapBps }) => gapBps ?? [])
  const near = count(({ gapBps }) => gapBps !== undefined && gapBps <= 1)
  const ratios = outcomes.map(({ vsForward }) => vsForward)
  const rows: [string, number, string][] = [
    ['trades', outcomes.length, 'count'],
    ['missing', count(({ found }) => !found), 'count'],
    ['delivered.less', count(({ over }) => over < 0n), 'count'],
    ['taken.more', count(({ taken }) => taken > 0n), 'count'],
    ['gap.median', quantile(gaps, 0.5), 'bps'],
    ['gap.p99', quantile(gaps, 0.99), 'bps'],
    ['gap.none', outcomes.length - gaps.length, 'count'],
    ['gap.within1bps', (100 * near) / outcomes.length, 'percent'],
    ['bound.violations', count(({ violation }) => violation), 'count'],
    ['input.vsForward.p99', (quantile(ratios, 0.99) - 1) * 10_000, 'bps'],
    ['input.vsForward.worst', (quantile(ratios, 1) - 1) * 10_000, 'bps'],
    [
      'gas.median',
      quantile(
        outcomes.map(({ gas }) => gas),
        0.5,
      ),
      'gas',
    ],
    [
      'gas.max',
      quantile(
        outcomes.map(({ gas }) => gas),
        1,
      ),
      'gas',
    ],
    [
      'gas.vsForward.median',
      quantile(
        outcomes.map(({ gasRatio }) => gasRatio),
        0.5,
      ),
      'ratio',
    ],
  ]
  return rows.map(([figure, value, unit]) => ({ bench: 'exact-output', figure, value, unit, set }))
}
