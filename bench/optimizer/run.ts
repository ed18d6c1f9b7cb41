import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Figure, print } from '../lib/figures.js'
import { drawMarket } from './drawMarket.js'
import { drawTrades } from './drawTrades.js'
import { figuresOf, type Outcome } from './figuresOf.js'
import * as Market from './Market.js'
import { networkOf } from './networkOf.js'
import * as Oracle from './Oracle.js'
import { type Optimizer, openOptimizer } from './openOptimizer.js'
import * as Random from './Random.js'

const repository = new URL('../../', import.meta.url)
const inRepository = (path: string) => fileURLToPath(new URL(path, repository))

/** Float noise of the oracle: a bound counts as violated only if it is further below the optimum. */
const NOISE = 1e-9
/** Accepted losses by rounding: relative, for paths through tokens of few decimals; and in base units of the output. */
const ROUNDING = 1e-5
const ROUNDING_UNITS = 3
/** Trades with an output of fewer base units are skipped: they would measure rounding. */
const LEAST_OUTPUT = 1e5

/**
 * Measures the optimizer against the float optimum: on the stored trades of a bench folder (`stored`), on random trades
 * over its markets (`drawn`), and on random markets of mixed decimals (`mixed`).
 *
 * @returns The figures of each set and of all together.
 */
export async function run(options: run.Options = {}): Promise<Figure[]> {
  const {
    dir = inRepository('../shared/bench'),
    artifact = inRepository('contracts/out-release/Optimizer.sol/Optimizer.json'),
    port = 18_640,
    seed = 1,
    count = 150,
    report = () => {},
  } = options
  if (!existsSync(artifact))
    throw new Error(
      `No compiled optimizer at ${artifact}. Run "FOUNDRY_PROFILE=release forge build".`,
    )
  const oracle = await Oracle.load(dir)
  const optimizer = await openOptimizer(artifact, port)
  try {
    const figures: Figure[] = []
    const everything: Outcome[] = []
    for (const [set, trades] of Object.entries(tradesOf(dir, seed, count))) {
      const outcomes: Outcome[] = []
      for (const trade of trades) {
        const outcome = await measure(oracle, optimizer, trade)
        if (!outcome) continue
        report(set, trade, outcome)
        outcomes.push(outcome)
      }
      figures.push(...figuresOf(set, outcomes))
      everything.push(...outcomes)
    }
    figures.push(...figuresOf('all', everything))
    return figures
  } finally {
    optimizer.close()
  }
}

export declare namespace run {
  type Options = {
    /** Folder with `markets`, `instances.json` and `oracle`. */
    dir?: string | undefined
    /** The compiled optimizer. @default the release build */
    artifact?: string | undefined
    /** Port of the development node. */
    port?: number | undefined
    /** Seed of the random trades. */
    seed?: number | undefined
    /** Random trades per market, and about as many on all random markets together. */
    count?: number | undefined
    /** Called for each trade. */
    report?: ((set: string, trade: Market.Trade, outcome: Outcome) => void) | undefined
  }
}

function tradesOf(dir: string, seed: number, count: number): Record<string, Market.Trade[]> {
  const markets = Market.loadAll(dir)
  const random = Random.from(seed)
  const drawn = markets.flatMap((market) => drawTrades(random, market, count))
  const madeUp = Array.from({ length: Math.ceil(count / 6) }, (_, k) =>
    drawMarket(random, `mixed-${k}`),
  )
  const mixed = madeUp.flatMap((market) => drawTrades(random, market, 6))
  return { stored: Market.loadTrades(dir, markets), drawn, mixed }
}

/** Measures one trade. Returns undefined if the output of the best path is below `LEAST_OUTPUT`. */
async function measure(
  oracle: Oracle.Oracle,
  optimizer: Optimizer,
  trade: Market.Trade,
): Promise<Outcome | undefined> {
  const { market, tokenIn, tokenOut } = trade
  const amountIn = Number(trade.amountIn)
  const oracleMarket = new oracle.Market(market, { filter: Market.holds(trade) })
  const path = oracle.bestPath(oracleMarket, tokenIn, tokenOut, amountIn)
  if (!(path.out >= LEAST_OUTPUT)) return undefined
  const { out } = oracle.optimum(oracleMarket, tokenIn, tokenOut, amountIn)

  const { allocation, gas } = await optimizer.optimize(networkOf(trade, oracleMarket))
  const [amountOut, upperBound] = [Number(allocation.amountOut), Number(allocation.upperBound)]
  return {
    quality: amountOut / out,
    gapBps: (upperBound / amountOut - 1) * 1e4,
    violation: upperBound < out * (1 - NOISE),
    belowPath: amountOut < path.out * (1 - ROUNDING) - ROUNDING_UNITS,
    gas,
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      dir: { type: 'string' },
      artifact: { type: 'string' },
      port: { type: 'string' },
      seed: { type: 'string' },
      count: { type: 'string' },
      verbose: { type: 'boolean' },
    },
  })
  const figures = await run({
    dir: values.dir,
    artifact: values.artifact,
    port: values.port === undefined ? undefined : Number(values.port),
    seed: values.seed === undefined ? undefined : Number(values.seed),
    count: values.count === undefined ? undefined : Number(values.count),
    report: values.verbose ? reportTrade : undefined,
  })
  print(figures)
}

function reportTrade(set: string, { market, ...trade }: Market.Trade, outcome: Outcome): void {
  const symbols = [trade.tokenIn, trade.tokenOut].map((token) => market.tokens[token]?.symbol)
  const { decimals = 0, usd = 0 } = market.tokens[trade.tokenIn] ?? {}
  const size = Math.round((Number(trade.amountIn) / 10 ** decimals) * usd)
  console.error(
    JSON.stringify({ set, market: market.id, trade: symbols.join('>'), usd: size, ...outcome }),
  )
}
