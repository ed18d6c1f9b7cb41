import { type PoolSpec, type TokenSpec, tokensOf } from '@sluice/devnet'
import type { Market, Pool } from '../../optimizer/Market.js'
import type { Oracle, OracleEdge, OracleMarket } from '../../optimizer/Oracle.js'
import { solidlyEdge } from './solidlyEdge.js'
import { weightedEdge } from './weightedEdge.js'

/** A pool, with its current reserves if these differ from the amounts at creation. */
export type MadePool = { id: string; spec: PoolSpec; reserves?: readonly bigint[] | undefined }

const LOG_TICK = Math.log1p(0.0001)

/** Converts random pools to a market in the oracle's format. */
export function marketOf(
  id: string,
  tokens: readonly TokenSpec[],
  pools: readonly MadePool[],
): Market {
  return {
    id,
    tokens: Object.fromEntries(
      tokens.map(({ address, symbol, decimals, usd }) => [address, { symbol, decimals, usd }]),
    ),
    pools: pools.map(oraclePool),
  }
}

/** Opens the oracle on the pools between some tokens. @default all pools */
export function openMarket(
  oracle: Oracle,
  market: Market,
  pools: readonly MadePool[],
  tokens?: ReadonlySet<string>,
): OracleMarket {
  const opened = new oracle.Market(market, { filter: () => true })
  const stable = pools.filter(({ spec }) => isSolidlyStable(spec))
  const inside = ({ from, to }: OracleEdge) => !tokens || (tokens.has(from) && tokens.has(to))
  opened.edges = [
    ...opened.edges.filter(({ pool }) => !stable.some(({ id }) => id === pool.id)).map(known),
    ...stable.flatMap(stableEdges),
  ].filter((edge) => inside(edge) && edge.f.d0 > 0)
  opened.by = new Map()
  for (const edge of opened.edges) {
    const from = opened.by.get(edge.from) ?? new Map<string, OracleEdge[]>()
    from.set(edge.to, [...(from.get(edge.to) ?? []), edge])
    opened.by.set(edge.from, from)
  }
  return opened
}

/** Replaces an edge's function by our own if the oracle's differs from the real pool's. */
function known(edge: OracleEdge): OracleEdge {
  const { pool, from, to } = edge
  if (pool.kind !== 'weighted') return edge
  const side = (token: string) => {
    const at = pool.tokens.indexOf(token)
    return { reserve: Number(pool.balances[at]), weight: Number(pool.weights[at]) }
  }
  const [sold, bought] = [side(from), side(to)]
  const f = weightedEdge({
    reserveIn: sold.reserve,
    reserveOut: bought.reserve,
    weightIn: sold.weight,
    weightOut: bought.weight,
    feePips: pool.fee,
  })
  return { ...edge, f }
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

function concentrated({ ranges, sqrtPriceX96 }: Extract<PoolSpec, { ranges: unknown }>) {
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

/** Both directions of a pool whose curve the oracle does not support. The oracle sees a pool of two tokens. */
function stableEdges(made: MadePool): OracleEdge[] {
  const { token0, token1, feePips } = made.spec
  const pool = oraclePool(made)
  const [reserve0, reserve1] = made.reserves!.map(Number) as [number, number]
  const side0 = { token: token0, reserve: reserve0 }
  const side1 = { token: token1, reserve: reserve1 }
  return [[side0, side1] as const, [side1, side0] as const].map(([sold, bought]) => ({
    pool,
    from: sold.token.address,
    to: bought.token.address,
    f: solidlyEdge({
      reserveIn: sold.reserve,
      reserveOut: bought.reserve,
      unitIn: 10 ** sold.token.decimals,
      unitOut: 10 ** bought.token.decimals,
      feePips,
    }),
  }))
}
