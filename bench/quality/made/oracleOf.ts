import { type PoolSpec, type TokenSpec, tokensOf } from '@sluice/devnet'
import type { Market, Pool } from '../../optimizer/Market.js'
import type { Oracle, OracleEdge, OracleMarket } from '../../optimizer/Oracle.js'
import type { AddedPool } from './annexes/Annex.js'
import { solidlyEdge } from './solidlyEdge.js'
import { weightedEdge } from './weightedEdge.js'

/** A pool, with its current reserves if these differ from the amounts at creation. */
export type MadePool = { id: string; spec: PoolSpec; reserves?: readonly bigint[] | undefined }

type ConcentratedSpec = Extract<PoolSpec, { ranges: unknown }>

const LOG_TICK = Math.log1p(0.0001)

/** Converts random pools to a market in the oracle's format. */
export function marketOf(
  id: string,
  tokens: readonly TokenSpec[],
  pools: readonly MadePool[],
  added: readonly AddedPool[] = [],
): Market {
  return {
    id,
    tokens: Object.fromEntries(
      tokens.map(({ address, symbol, decimals, usd }) => [address, { symbol, decimals, usd }]),
    ),
    pools: [...pools.map(oraclePool), ...added.map(({ id, seen }) => ({ ...seen, id }))],
  }
}

/** Opens the oracle on the pools between some tokens. @default all pools */
export function openMarket(
  oracle: Oracle,
  market: Market,
  {
    added = [],
    pools,
    tokens,
  }: {
    pools: readonly MadePool[]
    added?: readonly AddedPool[]
    tokens?: ReadonlySet<string> | undefined
  },
): OracleMarket {
  const opened = new oracle.Market(market, { filter: () => true })
  const own = new Map<string, (edge: OracleEdge) => OracleEdge['f'] | undefined>()
  for (const made of pools)
    if (isSolidlyStable(made.spec)) own.set(made.id, (edge) => stableCurve(made, edge))
  for (const { curveOf, id } of added) if (curveOf) own.set(id, curveOf)
  const isInside = ({ from, to }: OracleEdge) => !tokens || (tokens.has(from) && tokens.has(to))
  opened.edges = opened.edges.filter(isInside).flatMap((edge): OracleEdge[] => {
    const f = (own.get(edge.pool.id) ?? knownCurve)(edge)
    return f && f.d0 > 0 ? [{ ...edge, f }] : []
  })
  opened.by = new Map()
  for (const edge of opened.edges) {
    const from = opened.by.get(edge.from) ?? new Map<string, OracleEdge[]>()
    from.set(edge.to, [...(from.get(edge.to) ?? []), edge])
    opened.by.set(edge.from, from)
  }
  return opened
}

/** Returns an edge's curve; our own if the oracle's differs from the real pool's. */
function knownCurve({ f, from, pool, to }: OracleEdge): OracleEdge['f'] {
  if (pool.kind !== 'weighted') return f
  const side = (token: string) => {
    const at = pool.tokens.indexOf(token)
    return { reserve: Number(pool.balances[at]), weight: Number(pool.weights[at]) }
  }
  const [sold, bought] = [side(from), side(to)]
  return weightedEdge({
    reserveIn: sold.reserve,
    reserveOut: bought.reserve,
    weightIn: sold.weight,
    weightOut: bought.weight,
    feePips: pool.fee,
  })
}

function oraclePool({ id, spec, reserves }: MadePool): Pool {
  const [token0, token1] = [spec.token0.address, spec.token1.address]
  const pair = { id, fee: spec.feePips, token0, token1 }
  switch (spec.kind) {
    case 'uniswapV2':
    case 'solidly': {
      const [reserve0, reserve1] = reserves ?? [spec.amount0, spec.amount1]
      return { ...pair, kind: 'v2', reserve0: `${reserve0}`, reserve1: `${reserve1}` }
    }
    case 'curve':
    case 'balancerStable':
    case 'balancerWeighted': {
      const several = {
        id,
        fee: spec.feePips,
        tokens: tokensOf(spec).map(({ address }) => address),
        balances: spec.amounts.map(String),
      }
      if (spec.kind === 'balancerWeighted')
        return {
          ...several,
          kind: 'weighted',
          weights: spec.weights.map((w) => `${Number(w) / 1e18}`),
        }
      return {
        ...several,
        kind: 'stable',
        rates: tokensOf(spec).map(({ decimals }) => `${10n ** BigInt(decimals)}`),
        A: spec.amplification,
        feeOn: spec.kind === 'curve' ? 'out' : 'in',
      }
    }
    default:
      return { ...pair, kind: 'v3', ...concentrated(spec) }
  }
}

/** Returns a concentrated pool's price, liquidity and ticks in the oracle's format. */
export function concentrated({
  ranges,
  sqrtPriceX96,
}: Pick<ConcentratedSpec, 'ranges' | 'sqrtPriceX96'>) {
  const nets = new Map<number, bigint>()
  const tick = Math.floor((2 * Math.log(Number(sqrtPriceX96) / 2 ** 96)) / LOG_TICK)
  let liquidity = 0n
  for (const range of ranges) {
    nets.set(range.tickLower, (nets.get(range.tickLower) ?? 0n) + range.liquidity)
    nets.set(range.tickUpper, (nets.get(range.tickUpper) ?? 0n) - range.liquidity)
    if (range.tickLower <= tick && tick < range.tickUpper) liquidity += range.liquidity
  }
  const ticks = [...nets].sort(([a], [b]) => a - b)
  return {
    sqrtPriceX96: `${sqrtPriceX96}`,
    tick,
    liquidity: `${liquidity}`,
    ticks: ticks.map(([at, net]): [number, string] => [at, `${net}`]),
  }
}

function isSolidlyStable(spec: PoolSpec): boolean {
  return spec.kind === 'solidly' && spec.stable
}

/** Returns the curve of a pool that the oracle does not support, and sees as one of constant product. */
function stableCurve({ reserves, spec }: MadePool, { from }: OracleEdge): OracleEdge['f'] {
  const { token0, token1, feePips } = spec
  const [reserve0, reserve1] = reserves!.map(Number) as [number, number]
  const sides = [
    { token: token0, reserve: reserve0 },
    { token: token1, reserve: reserve1 },
  ] as const
  const [sold, bought] = from === token0.address ? sides : ([sides[1], sides[0]] as const)
  return solidlyEdge({
    reserveIn: sold.reserve,
    reserveOut: bought.reserve,
    unitIn: 10 ** sold.token.decimals,
    unitOut: 10 ** bought.token.decimals,
    feePips,
  })
}
