import { type Plan, PlanCall, type PlanChecks } from '@sluice/domain'
import { proposeConnectors } from '@sluice/engine'
import { type Address, type Hex, maxUint256, numberToHex } from 'viem'
import { bestOut, type Oracle, type OracleMarket } from '../optimizer/Oracle.js'
import { askQuoter } from './askQuoter.js'
import type { StoredTrade } from './loadTrades.js'
import { type LegPrices, priceLegs } from './priceLegs.js'
import { chainId, nativeOf, type Standing } from './Standing.js'

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
  /** Stated gap in basis points; none if no bound is claimed. */
  gapBps: number | undefined
  /** The stated bound lies below the optimum over the tokens in play. */
  violation: boolean
  /**
   * Output net of the legs' gas over that of the best path with one pool for each hop, over the same pools. All sides
   * pay what the Pricer says that their legs take.
   */
  netVsPath: number
  /** The same over 50 equal parts, each on the best path given the parts before. */
  netVsGreedy50: number
  /** Of the whole call; the larger of those without and with hints. */
  gas: number
  /** Gross output with the hints in a call of `TIGHT_GAS`, over that of the call without a limit. */
  tight: number
  /** What such a call fails with: no route, or a call that reverts. */
  tightFailure?: 'missing' | 'reverted' | undefined
}

/** What a call may take on nodes that cap calls low. */
export const TIGHT_GAS = 12_000_000n

/** What a unit of gas costs: half a dollar for a leg of 100,000. */
const GAS_USD = 5e-6
/** Float noise of the oracle: a bound below the optimum by less is none. */
const NOISE = 1e-9

/** Asks the deployed Quoter for one trade and the oracle for its optimum over the tokens in play. */
export async function measureTrade(
  standing: Standing,
  { oracle, trade }: { oracle: Oracle; trade: StoredTrade },
): Promise<Outcome> {
  const { connectors, contracts, listed, open, rpc, store, tokens } = standing
  const { tokenIn, tokenOut } = trade
  const read = open(new Set([tokenIn, tokenOut, ...connectors]))
  const amountIn = Number(trade.amountIn)
  const best = bestOut(oracle, read, { tokenIn, tokenOut, amountIn })

  const asked = {
    tokenIn: tokens[tokenIn]!,
    tokenOut: tokens[tokenOut]!,
    amountIn: BigInt(trade.amountIn),
  }
  const ask = (hints: readonly Address[], gasPrice = 0n) =>
    askQuoter(rpc, contracts.quoter, asked, hints, gasPrice)
  const { plan, gas } = await ask([])
  const connectorTokens = connectors.map((token) => tokens[token]!)
  const wrappedNative = tokens[nativeOf(standing.market)]!
  const hints = await proposeConnectors(
    { store, chainId, connectorTokens, wrappedNative, listed, ...asked },
    async (proposed) => (await ask(proposed)).plan,
  )
  const hinted = hints.length > 0 ? await ask(hints) : { plan, gas }
  const out = Number(plan.route.grossOut)
  const over = (other: number) => (other > 0 ? out / other : 1)
  return {
    id: trade.id,
    usd: trade.usd,
    solver: over(best),
    market: Number(hinted.plan.route.grossOut) / trade.optimum,
    missing: out === 0 && best > 0,
    gapBps: plan.gapMicroBps === maxUint256 ? undefined : Number(plan.gapMicroBps) / 1e6,
    violation: Number(plan.upperBound) < best * (1 - NOISE) - 1,
    ...(best > 0
      ? await measureNet({ standing, oracle, read, trade, asked, ask })
      : { netVsPath: 1, netVsGreedy50: 1 }),
    gas: Math.max(gas, hinted.gas),
    ...(await measureTight(standing, { asked, hints, full: hinted.plan.route.grossOut })),
  }
}

/** Asks again with little gas. */
async function measureTight(
  { contracts, rpc }: Standing,
  { asked, full, hints }: { asked: PlanChecks.Trade; full: bigint; hints: readonly Address[] },
): Promise<Pick<Outcome, 'tight' | 'tightFailure'>> {
  if (full === 0n) return { tight: 1 }
  const data = PlanCall.encode({ ...asked, isExact: false, gasPrice: 0n, connectors: hints })
  const call = { to: contracts.quoter, data, gas: numberToHex(TIGHT_GAS) }
  const answer = await rpc.request<Hex>('eth_call', [call, 'latest']).catch(() => undefined)
  if (!answer) return { tight: 0, tightFailure: 'reverted' }
  const { grossOut } = PlanCall.decode(answer).route
  if (grossOut === 0n) return { tight: 0, tightFailure: 'missing' }
  return { tight: Number(grossOut) / Number(full) }
}

async function measureNet({
  ask,
  asked,
  oracle,
  read,
  standing,
  trade: { amountIn, tokenIn, tokenOut },
}: {
  standing: Standing
  oracle: Oracle
  read: OracleMarket
  trade: StoredTrade
  asked: PlanChecks.Trade
  ask: (hints: readonly Address[], gasPrice: bigint) => Promise<{ plan: Plan.Plan }>
}): Promise<{ netVsPath: number; netVsGreedy50: number }> {
  const { market } = standing
  const native = nativeOf(standing.market)
  // If no pool that is read prices the native token, nobody can say what gas costs.
  const isPriced =
    native === tokenIn ||
    native === tokenOut ||
    read.pair(tokenIn, native).length + read.pair(native, tokenOut).length > 0
  if (!isPriced) return { netVsPath: 1, netVsGreedy50: 1 }
  const weth = market.tokens[native]!
  const { plan } = await ask([], BigInt(Math.round((GAS_USD / weth.usd) * 10 ** weth.decimals)))
  const legs = await priceLegs(standing, asked)
  const { decimals, usd } = market.tokens[tokenOut]!
  const costOf = (gas: number) => ((gas * GAS_USD) / usd) * 10 ** decimals
  const ours = Number(plan.route.grossOut) - costOf(await legs.gasOfRoute(plan.route))

  const path = oracle.bestPath(read, tokenIn, tokenOut, Number(amountIn))
  const greedy = oracle.chunked(read, tokenIn, tokenOut, Number(amountIn), 50)
  // A trade that gas eats up says nothing.
  const over = (out: number, gas: number) =>
    out > 2 * costOf(gas) ? ours / (out - costOf(gas)) : 1
  return {
    netVsPath: over(path.out, await pathGas(legs, read, path, Number(amountIn))),
    netVsGreedy50: over(greedy.out, await sumOf(greedy.used, legs)),
  }
}

/** Gas of a path with one pool for each hop. */
export async function pathGas(
  legs: LegPrices,
  read: OracleMarket,
  { path = [], pools = [] }: { path?: readonly string[]; pools?: readonly string[] },
  amountIn: number,
): Promise<number> {
  let [total, held] = [0, amountIn]
  for (const [hop, id] of pools.entries()) {
    const edge = read.pair(path[hop]!, path[hop + 1]!).find(({ pool }) => pool.id === id)!
    total += await legs.gasOf(edge, held)
    held = edge.f.out(held)
  }
  return total
}

/** Gas of everything that is used. */
export async function sumOf(used: Awaited<ReturnType<Oracle['chunked']>>['used'], legs: LegPrices) {
  let total = 0
  for (const [edge, amountIn] of used) total += await legs.gasOf(edge, amountIn)
  return total
}
