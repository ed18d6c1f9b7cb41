import type { Figure } from '../lib/figures.js'
import * as Market from '../optimizer/Market.js'
import * as Oracle from '../optimizer/Oracle.js'
import * as Random from '../optimizer/Random.js'
import { deployMarket } from './deployMarket.js'
import { figuresOf } from './figuresOf.js'
import { figuresOfFirst } from './first/figuresOf.js'
import { type Asked, measureFirst } from './first/measureFirst.js'
import { type FirstNet, figuresOfFirstNet, measureFirstNet } from './first/measureFirstNet.js'
import { loadTrades, type StoredTrade } from './loadTrades.js'
import { drawMade } from './made/drawMade.js'
import { chainOf } from './made/drawSpec.js'
import { type AnnexName, makeMarket, standMarket } from './made/makeMarket.js'
import { measureTrade, type Outcome } from './measureTrade.js'
import { openIndex } from './openIndex.js'
import { figuresOfPriced, measurePriced, type Priced } from './priced/measurePriced.js'
import { perturb } from './real/perturb.js'
import type { Standing } from './Standing.js'

type MadeSet = {
  name: string
  /** Number of usual pools in a market, and the maximum number of tokens in a pool. */
  size: number
  maxTokens: number
  annex: AnnexName
}

/** Random sets of usual pools. */
const madeSets: readonly MadeSet[] = [
  { name: 'generated-30', size: 30, maxTokens: 2, annex: 'none' },
  { name: 'generated-60', size: 60, maxTokens: 2, annex: 'none' },
  { name: 'generated-30-three-tokens', size: 30, maxTokens: 3, annex: 'none' },
]
/** Random sets with pools that adapters trade. */
const annexedSets = {
  converters: { name: 'converters', size: 26, maxTokens: 2, annex: 'converters' },
  hooked: { name: 'hooked', size: 24, maxTokens: 2, annex: 'hooked' },
  registries: { name: 'registries', size: 26, maxTokens: 2, annex: 'registries' },
} as const satisfies Record<string, MadeSet>
const marketsOfASet = 4
const tradesOfAMarket = 20
/** Minimum value of the output, relative to the input, of drawn trades on real markets. */
const LEAST_WORTH = 0.5

export type Options = {
  dir: string
  seed?: number
  /** Trades per market of the drawn sets. */
  count?: number
  /** Sets to measure. @default the stored trades and the random markets */
  only?: readonly string[]
  report?: ((standing: Standing, trade: StoredTrade, outcome: Outcome) => void) | undefined
}

type Bench = Required<Pick<Options, 'dir' | 'seed' | 'count'>> &
  Pick<Options, 'report'> & { oracle: Oracle.Oracle }

const sets = {
  stored: measureStored,
  generated: measureGenerated,
  converters: (bench) => measureMade(bench, annexedSets.converters),
  hooked: (bench) => measureMade(bench, annexedSets.hooked),
  registries: (bench) => measureMade(bench, annexedSets.registries),
  drawn: measureDrawn,
  perturbed: measurePerturbed,
  first: measureFirstStored,
  firstNet: measureFirstNetStored,
  firstNetDrawn: measureFirstNetDrawn,
  firstNetPerturbed: measureFirstNetPerturbed,
  firstDrawn: measureFirstDrawn,
  firstPerturbed: measureFirstPerturbed,
  priced: measurePricedAll,
} as const satisfies Record<string, (bench: Bench) => Promise<Figure[]>>
const usual = ['stored', 'generated']

/**
 * Quality of the routes that the deployed protocol quotes, against the float optimum: over the pools between the tokens
 * in play (`solver`), and over all pools (`market`). Every market is on a fresh node.
 *
 * `stored`: every stored trade that can be put on a node, without exception; `all` has those of all markets. `generated`:
 * random markets with all kinds of pools. `converters`, `hooked`, `registries`: random markets with pools that adapters trade.
 * `drawn`: other trades on the stored markets. `perturbed`: trades on changed
 * copies of the stored markets. Names of random sets contain their seeds.
 */
export async function run(options: Options): Promise<Figure[]> {
  const { count = tradesOfAMarket, dir, only = [], report, seed = 1 } = options
  const unknown = only.find((name) => !(name in sets))
  if (unknown) throw new Error(`There is no set ${unknown}. Sets: ${Object.keys(sets).join(', ')}.`)
  const bench = { dir, seed, count, report, oracle: await Oracle.load(dir) }
  const figures: Figure[] = []
  for (const [name, measure] of Object.entries(sets))
    if ((only.length > 0 ? only : usual).includes(name)) figures.push(...(await measure(bench)))
  return figures
}

async function measureStored({ dir, oracle, report }: Bench): Promise<Figure[]> {
  const trades = loadTrades(dir)
  const figures: Figure[] = []
  const everything: Outcome[] = []
  for (const market of Market.loadAll(dir)) {
    const ofMarket = trades.filter((trade) => trade.market === market.id)
    if (ofMarket.length === 0) continue
    const standing = await deployMarket(dir, oracle, market)
    const outcomes = await measureMarket(oracle, standing, () => ofMarket, report)
    figures.push(...figuresOf(market.id, outcomes))
    everything.push(...outcomes)
  }
  return [...figures, ...figuresOf('all', everything)]
}

async function measureGenerated(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const set of madeSets) figures.push(...(await measureMade(bench, set)))
  return figures
}

/** Measures four markets of a random set; the set and the seed determine everything. */
async function measureMade(
  { count, oracle, report, seed }: Bench,
  { annex, maxTokens, name, size }: MadeSet,
): Promise<Figure[]> {
  const outcomes: Outcome[] = []
  for (let own = seed; own < seed + marketsOfASet; own++) {
    const random = Random.from(own + 1000 * size)
    const id = `${name}-seed-${own}`
    const standing = await makeMarket(oracle, random, { id, maxTokens, size, annex })
    const draw = () => drawMade(random, oracle, standing, { count })
    outcomes.push(...(await measureMarket(oracle, standing, draw, report)))
  }
  return figuresOf(`${name}-seeds-${seed}-to-${seed + marketsOfASet - 1}`, outcomes)
}

/** Measures other trades on the stored markets. */
async function measureDrawn(bench: Bench): Promise<Figure[]> {
  const { oracle, report, seed } = bench
  const outcomes: Outcome[] = []
  await eachDrawn(bench, async (standing, draw) => {
    outcomes.push(...(await measureMarket(oracle, standing, draw, report)))
  })
  return figuresOf(`drawn-seed-${seed}`, outcomes)
}

/** Measures trades on changed copies of the stored markets. */
async function measurePerturbed(bench: Bench): Promise<Figure[]> {
  const { oracle, report, seed } = bench
  const outcomes: Outcome[] = []
  await eachPerturbed(bench, async (standing, draw) => {
    outcomes.push(...(await measureMarket(oracle, standing, draw, report)))
  })
  return figuresOf(`perturbed-seed-${seed}`, outcomes)
}

/** Measures the first request for each stored trade to a service that has just started. */
async function measureFirstStored({ dir, oracle }: Bench): Promise<Figure[]> {
  const trades = loadTrades(dir)
  const asked: Asked[] = []
  for (const market of Market.loadAll(dir)) {
    const ofMarket = trades.filter((trade) => trade.market === market.id)
    if (ofMarket.length === 0) continue
    const standing = await deployMarket(dir, oracle, market)
    asked.push(...(await measureFirstOf(standing, () => ofMarket)))
  }
  return figuresOfFirst('first', asked)
}

/** Measures the same trades net of gas, at the gas price that the node reports. */
async function measureFirstNetStored({ dir, oracle }: Bench): Promise<Figure[]> {
  const trades = loadTrades(dir)
  const measured: FirstNet[] = []
  for (const market of Market.loadAll(dir)) {
    const ofMarket = trades.filter((trade) => trade.market === market.id)
    if (ofMarket.length === 0) continue
    const standing = await deployMarket(dir, oracle, market)
    measured.push(...(await measureFirstNetOf(oracle, standing, () => ofMarket)))
  }
  return figuresOfFirstNet('first', measured)
}

async function measureFirstNetDrawn(bench: Bench): Promise<Figure[]> {
  const measured: FirstNet[] = []
  await eachDrawn(bench, async (standing, draw) => {
    measured.push(...(await measureFirstNetOf(bench.oracle, standing, draw)))
  })
  return figuresOfFirstNet(`first-drawn-seed-${bench.seed}`, measured)
}

async function measureFirstNetPerturbed(bench: Bench): Promise<Figure[]> {
  const measured: FirstNet[] = []
  await eachPerturbed(bench, async (standing, draw) => {
    measured.push(...(await measureFirstNetOf(bench.oracle, standing, draw)))
  })
  return figuresOfFirstNet(`first-perturbed-seed-${bench.seed}`, measured)
}

async function measureFirstDrawn(bench: Bench): Promise<Figure[]> {
  const asked: Asked[] = []
  await eachDrawn(bench, async (standing, draw) => {
    asked.push(...(await measureFirstOf(standing, draw)))
  })
  return figuresOfFirst(`first-drawn-seed-${bench.seed}`, asked)
}

async function measureFirstPerturbed(bench: Bench): Promise<Figure[]> {
  const asked: Asked[] = []
  await eachPerturbed(bench, async (standing, draw) => {
    asked.push(...(await measureFirstOf(standing, draw)))
  })
  return figuresOfFirst(`first-perturbed-seed-${bench.seed}`, asked)
}

/** Measures stored and drawn trades with a gas price and without. */
async function measurePricedAll(bench: Bench): Promise<Figure[]> {
  const stored = loadTrades(bench.dir)
  const measured: Priced[] = []
  await eachDrawn(bench, async (standing, draw) => {
    try {
      const ofMarket = stored.filter(({ market }) => market === standing.market.id)
      measured.push(...(await measurePriced(standing, [...ofMarket, ...draw()])))
    } finally {
      await standing.stop()
    }
  })
  return figuresOfPriced(`priced-seed-${bench.seed}`, measured)
}

type Draw = () => readonly StoredTrade[]

async function eachDrawn(
  { count, dir, oracle, seed }: Bench,
  measure: (standing: Standing, draw: Draw) => Promise<void>,
): Promise<void> {
  for (const [index, market] of Market.loadAll(dir).entries()) {
    const random = Random.from(seed + 100 * index)
    const standing = await deployMarket(dir, oracle, market)
    await measure(standing, () =>
      drawMade(random, oracle, standing, { count, minWorth: LEAST_WORTH }),
    )
  }
}

async function eachPerturbed(
  { count, dir, oracle, seed }: Bench,
  measure: (standing: Standing, draw: Draw) => Promise<void>,
): Promise<void> {
  for (const [index, market] of Market.loadAll(dir).entries()) {
    const random = Random.from(seed + 100 * index)
    const { pools, tokens } = perturb(random, market)
    const name = `${market.id}-perturbed-seed-${seed}`
    const spec = chainOf(name, tokens)
    const standing = await standMarket(oracle, { spec, pools, added: [] })
    await measure(standing, () =>
      drawMade(random, oracle, standing, { count, minWorth: LEAST_WORTH }),
    )
  }
}

async function measureFirstNetOf(
  oracle: Oracle.Oracle,
  standing: Standing,
  draw: Draw,
): Promise<FirstNet[]> {
  try {
    return await measureFirstNet(standing, oracle, draw())
  } finally {
    await standing.stop()
  }
}

async function measureFirstOf(standing: Standing, draw: Draw): Promise<Asked[]> {
  try {
    return await measureFirst(standing, draw())
  } finally {
    await standing.stop()
  }
}

async function measureMarket(
  oracle: Oracle.Oracle,
  standing: Standing,
  draw: Draw,
  report?: Options['report'],
): Promise<Outcome[]> {
  const index = await openIndex(standing).catch(async (error) => {
    await standing.stop()
    throw error
  })
  try {
    const outcomes: Outcome[] = []
    for (const trade of draw()) {
      const outcome = await measureTrade(standing, { index, oracle, trade })
      report?.(standing, trade, outcome)
      outcomes.push(outcome)
    }
    return outcomes
  } finally {
    index.stop()
    await standing.stop()
  }
}
