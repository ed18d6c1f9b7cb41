import { Plan, PlanCall } from '@sluice/domain'
import { proposeConnectors } from '@sluice/engine'
import type { Address } from 'viem'
import { meteredCall } from '../lib/meteredCall.js'
import type { Node } from '../lib/startNode.js'
import type { Market, Pool } from '../optimizer/Market.js'
import type { Oracle, OracleMarket } from '../optimizer/Oracle.js'
import { chainId, connectorSymbols, type Deployed } from './deployMarket.js'
import type { StoredTrade } from './loadTrades.js'

/** What one trade has shown. */
export type Outcome = {
  id: string
  usd: number
  /** Quoted gross output over the optimum of the pools between the tokens in play. */
  solver: number
  /** Gross output quoted with the hints that the engine proposes, over the optimum of all pools. */
  market: number
  /** The tokens in play connect, but there was no quote. */
  missing: boolean
  /** Stated gap in basis points. */
  gapBps: number
  /** The stated bound lies below the optimum over the tokens in play. */
  violation: boolean
  /**
   * Output net of the legs' gas over that of the best path with one pool for each hop, over the same pools, at a gas
   * price that makes a leg cost `LEG_USD`.
   */
  netVsPath: number
  /** The same over 50 equal parts, each on the best path given the parts before. */
  netVsGreedy50: number
  /** Of the whole call; the larger of those without and with hints. */
  gas: number
}

/** What a leg costs, and the gas of a leg that the price is made from. */
const LEG_USD = 0.5
const LEG_GAS = 100_000
/** Float noise of the oracle: a bound below the optimum by less is none. */
const NOISE = 1e-9

/** Asks the deployed Quoter for one trade and the oracle for its optimum over the tokens in play. */
export async function measureTrade(parameters: {
  node: Node
  oracle: Oracle
  market: Market
  deployed: Deployed
  trade: StoredTrade
}): Promise<Outcome> {
  const { node, oracle, market, deployed, trade } = parameters
  const { placed, quoter } = deployed
  const inPlay = new Set([trade.tokenIn, trade.tokenOut, ...connectorsOf(market)])
  const isRead = (pool: Pool) =>
    placed.pools[pool.id] !== undefined &&
    'token0' in pool &&
    inPlay.has(pool.token0) &&
    inPlay.has(pool.token1)
  const read = new oracle.Market(market, { filter: isRead })
  const { tokenIn, tokenOut } = trade
  const amountIn = Number(trade.amountIn)
  const best = oracle.optimum(read, tokenIn, tokenOut, amountIn).out

  const asked = {
    tokenIn: placed.tokens[tokenIn]!,
    tokenOut: placed.tokens[tokenOut]!,
    amountIn: BigInt(trade.amountIn),
  }
  const { plan, gas } = await ask(node, quoter, asked, [])
  const hints = await proposeConnectors(
    { store: deployed.pools, chainId, connectorTokens: deployed.connectorTokens, ...asked },
    async (connectors) => (await ask(node, quoter, asked, connectors)).plan,
  )
  const hinted = hints.length > 0 ? await ask(node, quoter, asked, hints) : { plan, gas }
  const out = Number(plan.route.grossOut)
  const over = (other: number) => (other > 0 ? out / other : 1)
  return {
    id: trade.id,
    usd: trade.usd,
    solver: over(best),
    market: Number(hinted.plan.route.grossOut) / trade.optimum,
    missing: out === 0 && best > 0,
    gapBps: Number(plan.gapMicroBps) / 1e6,
    violation: Number(plan.upperBound) < best * (1 - NOISE) - 1,
    ...(await measureNet(parameters, read, asked)),
    gas: Math.max(gas, hinted.gas),
  }
}

/** Every side pays the same for a leg, whatever its pool. */
async function measureNet(
  { deployed, market, node, oracle, trade }: Parameters<typeof measureTrade>[0],
  read: OracleMarket,
  asked: Plan.Asked,
): Promise<{ netVsPath: number; netVsGreedy50: number }> {
  const { tokenIn, tokenOut } = trade
  const amountIn = Number(trade.amountIn)
  const weth = Object.values(market.tokens).find(({ symbol }) => symbol === 'WETH')!
  const gasPrice = BigInt(Math.round((LEG_USD / weth.usd / LEG_GAS) * 1e18))
  const { plan } = await ask(node, deployed.quoter, asked, [], gasPrice)
  const { decimals, usd } = market.tokens[tokenOut]!
  const legCost = (LEG_USD / usd) * 10 ** decimals
  const ours = Number(plan.route.grossOut) - plan.route.legs.length * legCost
  const path = oracle.bestPath(read, tokenIn, tokenOut, amountIn)
  const greedy = oracle.chunked(read, tokenIn, tokenOut, amountIn, 50)
  // A trade that gas eats up says nothing.
  const over = (out: number, legs: number) =>
    out > 2 * legs * legCost ? ours / (out - legs * legCost) : 1
  return {
    netVsPath: over(path.out, path.pools?.length ?? 0),
    netVsGreedy50: over(greedy.out, greedy.used.size),
  }
}

function connectorsOf(market: Market): string[] {
  return Object.keys(market.tokens).filter((token) =>
    connectorSymbols.includes(market.tokens[token]!.symbol),
  )
}

async function ask(
  node: Node,
  quoter: Address,
  asked: Plan.Asked,
  connectors: readonly Address[],
  gasPrice = 0n,
): Promise<{ plan: Plan.Plan; gas: number }> {
  const data = PlanCall.encode({ ...asked, isExact: false, gasPrice, connectors })
  const { result, gas } = await meteredCall(node.rpc, quoter, data)
  const plan = PlanCall.decode(result)
  const problem = Plan.problem(plan, asked)
  if (problem) throw new Error(`The plan does not hold: ${problem}.`)
  return { plan, gas }
}
