import { createRpc } from '@sluice/deploy'
import { type Devnet, type DevnetChain, type DevnetPool, startDevnet } from '@sluice/devnet'
import { type Figure, quantile } from '../lib/figures.js'
import { compareRouters } from './compareRouters.js'
import { type Estimate, measureEstimates } from './measureEstimates.js'
import { measureWiring } from './measureWiring.js'
import { openSwaps } from './openSwaps.js'

const chainId = 1
/** Number of drawn trades, and a seed that the estimate's constants were not fitted to: they were fitted to seeds 2 to 5. */
const [tradeCount, blindSeed] = [160, 7]

/**
 * Gas of `swapExactIn`, as transactions on pools and balances that were used before: one leg on V2, one on V3, and what a
 * further leg adds over a further direct swap. A swap and what it is compared with start from the same state, in a block
 * of their own.
 *
 * The ratios are to `direct`, the bare swap: the pool is paid by the caller and pays it. `minimal` makes the Router's
 * payments as well (input, fee and output), so that its ratio says what all the rest costs. `estimate` is how far
 * `estGas` is off the receipts of drawn trades on all chains of the devnet. The sets of `compareRouters` hold both
 * generations against the routers that traders can choose instead.
 *
 * `wiring` is what a quote takes with all venues of a chain's config.
 *
 * @param only `routers`, `direct`, `estimates` or `wiring`. @default all of them
 */
export async function run({
  seed = blindSeed,
  count = tradeCount,
  only = [],
}: {
  seed?: number
  count?: number
  only?: readonly string[]
} = {}): Promise<Figure[]> {
  const isAsked = (name: string) => only.length === 0 || only.includes(name)
  const figures: Figure[] = isAsked('wiring') ? await measureWiring() : []
  if (only.length > 0 && only.every((name) => name === 'wiring')) return figures
  const devnet = await startDevnet({ port: 0 })
  const parts = [
    ['routers', () => compareRouters(devnet)],
    ['direct', () => compareDirect(devnet)],
    ['estimates', () => estimate(devnet, { seed, count })],
  ] as const
  try {
    for (const [name, measure] of parts) if (isAsked(name)) figures.push(...(await measure()))
    return figures
  } finally {
    await devnet.stop()
  }
}

async function compareDirect(devnet: Devnet): Promise<Figure[]> {
  const chain = devnet.chains.find((each) => each.chainId === chainId)!
  const { router, hub } = devnet.deployments.chains[chainId]!.versions['1.0.0']!
  const swaps = await openSwaps({
    chain,
    from: devnet.account.address,
    hub,
    router,
    rpc: createRpc(chain.rpcUrl),
  })
  const v2 = await swaps.compare([poolOf(chain, 'uniswapV2', 3_000)])
  const v3 = await swaps.compare([poolOf(chain, 'uniswapV3', 500)])
  const split = await swaps.compare([
    poolOf(chain, 'uniswapV3', 500),
    poolOf(chain, 'uniswapV3', 3_000),
  ])
  const rows: [string, number, string][] = [
    ...Object.entries(v2).map(([name, gas]) => row(`v2.${name}`, gas)),
    ['v2.ratio', v2.ours / v2.direct, 'ratio'],
    ['v2.minimal.ratio', v2.ours / v2.minimal, 'ratio'],
    ...Object.entries(v3).map(([name, gas]) => row(`v3.${name}`, gas)),
    ['v3.ratio', v3.ours / v3.direct, 'ratio'],
    ['v3.minimal.ratio', v3.ours / v3.minimal, 'ratio'],
    // A further leg needs no transaction of its own.
    ['leg.ratio', (split.ours - v3.ours) / (split.direct - transactionGas), 'ratio'],
  ]
  return rows.map(([figure, value, unit]) => ({ bench: 'gas', figure, value, unit, set: 'all' }))
}

async function estimate(
  devnet: Devnet,
  options: { seed: number; count: number },
): Promise<Figure[]> {
  const estimates = await measureEstimates(devnet, options)
  return estimateFigures(estimates, `seed ${options.seed}, ${estimates.length} trades`)
}

function estimateFigures(estimates: readonly Estimate[], set: string): Figure[] {
  const errors = estimates.map(
    ({ estGas, gasUsed }) => (Math.abs(estGas - gasUsed) / gasUsed) * 100,
  )
  const within = errors.filter((error) => error <= 5).length / errors.length
  const figure = (name: string, value: number, unit = '%') => ({
    bench: 'gas',
    figure: `estimate.${name}`,
    value,
    unit,
    set,
  })
  return [
    figure('median', quantile(errors, 0.5)),
    figure('p95', quantile(errors, 0.95)),
    figure('max', Math.max(...errors)),
    figure('within5', within, 'ratio'),
  ]
}

/** What a transaction costs before it does anything (EIP-2028 aside). */
const transactionGas = 21_000

function row(figure: string, gas: number): [string, number, string] {
  return [figure, gas, 'gas']
}

function poolOf(chain: DevnetChain, kind: 'uniswapV2' | 'uniswapV3', feePips: number): DevnetPool {
  const pool = chain.pools.find(
    ({ token0, token1, ...each }) =>
      each.kind === kind &&
      each.feePips === feePips &&
      [token0, token1].sort().join() === ['USDC', 'WETH'].join(),
  )
  if (!pool)
    throw new Error(`The devnet has no ${kind} pool of WETH and USDC with ${feePips} pips.`)
  return pool
}
