import { type Plan, PlanCall, type PlanChecks } from '@sluice/domain'
import type { HintSet } from '@sluice/engine'
import { type Address, type Hex, maxUint256, numberToHex } from 'viem'
import { bestOut, type Oracle, type OracleMarket } from '../optimizer/Oracle.js'
import { askQuoter } from './askQuoter.js'
import type { StoredTrade } from './loadTrades.js'
import type { Index } from './openIndex.js'
import { type LegPrices, priceLegs } from './priceLegs.js'
import { nativeOf, type Standing } from './Standing.js'

/** Results of one trade. */
export type Outcome = {
  id: string
  usd: number
  /** Quoted gross output divided by the optimum over the pools between the tokens in play. */
  solver: number
  /** Gross output quoted with the engine's hints, divided by the optimum over all pools. */
  market: number
  /** Whether there was no quote, although the tokens in play connect. */
  missing: boolean
  /** Stated gap in basis points; undefined if no bound is claimed. */
  gapBps: number | undefined
  /** Whether the stated bound is below the optimum over the tokens in play. */
  violation: boolean
  /**
   * Output net of the legs' gas, divided by that of the best path with one pool per hop over the same pools. Both sides
   * use the gas that the Pricer states for their legs.
   */
  netVsPath: number
  /** The same, compared with 50 equal parts, each on the best path after the previous parts. */
  netVsGreedy50: number
  /** Gas of the whole call; the maximum of the calls without and with hints. */
  gas: number
  /** Gas of the call without connector hints. */
  plainGas: number
  /** Gross output with hints in a call with `TIGHT_GAS`, divided by that of the unlimited call. */
  tight: number
  /** How the limited call fails, if it fails: no route, or a revert. */
  tightFailure?: 'missing' | 'reverted' | undefined
}

/** Gas limit of calls on nodes with a low limit. */
export const TIGHT_GAS = 12_000_000n

/** US dollars per unit of gas: half a dollar for a leg of 100,000 gas. */
const GAS_USD = 5e-6
/** Float noise of the oracle: a bound counts as violated only if it is further below the optimum. */
const NOISE = 1e-9

/** Quotes one trade with the deployed Quoter, and compares it with the oracle's optimum over the tokens in play. */
export async function measureTrade(
  standing: Standing,
  { index, oracle, trade }: { index: Index; oracle: Oracle; trade: StoredTrade },
): Promise<Outcome> {
  const { connectors, open, tokens } = standing
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
    askQuoter(standing, asked, hints, gasPrice)
  const { plan, gas } = await ask([])
  const hints = await index.propose(asked)
  const found = await askIndexed(standing, { asked, hints })
  const out = Number(plan.route.grossOut)
  const over = (other: number) => (other > 0 ? out / other : 1)
  return {
    id: trade.id,
    usd: trade.usd,
    solver: over(best),
    market: Number(found.grossOut) / trade.optimum,
    missing: out === 0 && best > 0,
    gapBps: plan.gapMicroBps === maxUint256 ? undefined : Number(plan.gapMicroBps) / 1e6,
    violation: Number(plan.upperBound) < best * (1 - NOISE) - 1,
    ...(best > 0
      ? await measureNet({ standing, oracle, read, trade, asked, ask })
      : { netVsPath: 1, netVsGreedy50: 1 }),
    gas: Math.max(gas, found.gas),
    plainGas: gas,
    ...(await measureTight(standing, { asked, hints, full: found.grossOut })),
  }
}

/** The better quote of those with the index's hints and without any, as the service answers. */
async function askIndexed(
  standing: Standing,
  { asked, hints }: { asked: PlanChecks.Trade; hints: HintSet },
): Promise<{ grossOut: bigint; gas: number }> {
  const ask = async ({ connectors, pools }: HintSet) => {
    const { gas, plan } = await askQuoter(standing, asked, connectors, 0n, pools)
    return { grossOut: plan.route.grossOut, gas }
  }
  const plain = await ask({ connectors: [], pools: [] })
  if (hints.connectors.length + hints.pools.length === 0) return plain
  const tried = await ask(hints)
  const gas = Math.max(plain.gas, tried.gas)
  return { ...(tried.grossOut > plain.grossOut ? tried : plain), gas }
}

/** Quotes again with little gas. */
async function measureTight(
  { contracts, rpc }: Standing,
  { asked, full, hints }: { asked: PlanChecks.Trade; full: bigint; hints: HintSet },
): Promise<Pick<Outcome, 'tight' | 'tightFailure'>> {
  if (full === 0n) return { tight: 1 }
  const question = { ...asked, isExact: false, gasPrice: 0n, ...hints }
  const data = PlanCall.encode(question)
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
  // If no pool that was read prices the native token, the cost of gas is unknown.
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
  // If gas uses up the output, the ratio means nothing.
  const over = (out: number, gas: number) =>
    out > 2 * costOf(gas) ? ours / (out - costOf(gas)) : 1
  return {
    netVsPath: over(path.out, await pathGas(legs, read, path, Number(amountIn))),
    netVsGreedy50: over(greedy.out, await sumOf(greedy.used, legs)),
  }
}

/** Returns the gas of a path with one pool per hop. */
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

/** Returns the gas of all used pools. */
export async function sumOf(used: Awaited<ReturnType<Oracle['chunked']>>['used'], legs: LegPrices) {
  let total = 0
  for (const [edge, amountIn] of used) total += await legs.gasOf(edge, amountIn)
  return total
}
