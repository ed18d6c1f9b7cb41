import type { DevnetChain, DevnetPool } from '@sluice/devnet'
import type { Address } from 'viem'

/** One swap of a path: what it sells and buys, and where. */
export type Hop = { pool: DevnetPool; tokenIn: Address; tokenOut: Address }
/** A trade that every router can be asked for: equal parts of the input, each along a path of its own. */
export type Column = {
  name: string
  tokenIn: Address
  tokenOut: Address
  amountIn: bigint
  /** The hops of a path are on pools of one kind. */
  paths: readonly (readonly Hop[])[]
}

type Kind = 'uniswapV2' | 'uniswapV3' | 'uniswapV4'
type Pair = readonly [sold: string, bought: string, kind: Kind, feePips: number]

const amountIn = 10n ** 17n

const v2: Pair = ['WETH', 'USDC', 'uniswapV2', 3_000]
const v3: Pair = ['WETH', 'USDC', 'uniswapV3', 500]
const v2Next: Pair = ['USDC', 'DAI', 'uniswapV2', 3_000]
const v3Next: Pair = ['USDC', 'DAI', 'uniswapV3', 100]
const v4: Pair = ['WETH', 'USDbC', 'uniswapV4', 500]

const trades: readonly [name: string, paths: readonly (readonly Pair[])[]][] = [
  ['1 V2', [[v2]]],
  ['1 V3', [[v3]]],
  ['V3→V3', [[v3, v3Next]]],
  ['V2 + V3', [[v2], [v3]]],
  [
    '2 V2 + 2 V3',
    [
      [v2, v2Next],
      [v3, v3Next],
    ],
  ],
  ['V2→V2', [[v2, v2Next]]],
  ['1 V4', [[v4]]],
]

/** The trades of the table, on a chain's pools. */
export function columnsOf(chain: DevnetChain): Column[] {
  return trades.map(([name, paths]) => {
    const hops = paths.map((path) => path.map((pair) => hopOf(chain, pair)))
    const path = hops[0]!
    return {
      name,
      amountIn,
      tokenIn: path[0]!.tokenIn,
      tokenOut: path.at(-1)!.tokenOut,
      paths: hops,
    }
  })
}

function hopOf(chain: DevnetChain, [sold, bought, kind, feePips]: Pair): Hop {
  const pool = chain.pools.find(
    (each) =>
      each.kind === kind &&
      each.feePips === feePips &&
      [each.token0, each.token1].sort().join() === [sold, bought].sort().join(),
  )
  if (!pool)
    throw new Error(
      `${chain.name} has no ${kind} pool of ${sold} and ${bought} with ${feePips} pips.`,
    )
  return {
    pool,
    tokenIn: chain.tokens[sold]!.address,
    tokenOut: chain.tokens[bought]!.address,
  }
}
