import { type Address, numberToHex } from 'viem'
import { type Figure, quantile } from '../../lib/figures.js'
import type { Oracle } from '../../optimizer/Oracle.js'
import type { StoredTrade } from '../loadTrades.js'
import { pathGas, sumOf } from '../measureTrade.js'
import { priceLegs } from '../priceLegs.js'
import { nativeOf, type Standing } from '../Standing.js'
import { askService, withFresh } from './measureFirst.js'

/** Output of a first quote net of gas, relative to the best path and to fifty parts net of gas, in basis points. */
export type FirstNet = { readonly id: string; readonly path: number; readonly greedy: number }

/** Gas price of a busy day on Ethereum, at which a leg of a small trade costs more than it earns. */
const BASE_FEE_WEI = 20n * 10n ** 9n
const PARTS = 50
const BPS = 10_000

/**
 * Requests each trade once over HTTP from a service that has just started, without a gas price, so that the node's gas
 * price counts. Compares the output net of gas with the best path with one pool per hop, and with fifty parts, over the
 * same pools. All sides use the gas that the Pricer states for their legs, at the gas price in the response.
 */
export async function measureFirstNet(
  standing: Standing,
  oracle: Oracle,
  trades: readonly StoredTrade[],
): Promise<FirstNet[]> {
  const { rpc } = standing
  return await withFresh(standing, async (url) => {
    const measured: FirstNet[] = []
    for (const trade of trades) {
      await rpc.request('anvil_setNextBlockBaseFeePerGas', [numberToHex(BASE_FEE_WEI)])
      await rpc.request('evm_mine', [])
      const net = await measureOne(standing, oracle, trade, await askService(url, standing, trade))
      if (net) measured.push({ id: trade.id, ...net })
    }
    return measured
  })
}

async function measureOne(
  standing: Standing,
  oracle: Oracle,
  { amountIn, tokenIn, tokenOut }: StoredTrade,
  { meta, quote, route }: Awaited<ReturnType<typeof askService>>,
): Promise<Omit<FirstNet, 'id'> | undefined> {
  const { connectors, market, open, tokens } = standing
  if (!quote?.gasPriceWei || !route) return undefined
  const hints = (meta?.connectors ?? []) as readonly Address[]
  const nameOf = (address: string) =>
    Object.keys(tokens).find((name) => tokens[name]!.toLowerCase() === address.toLowerCase())!
  const read = open(new Set([tokenIn, tokenOut, ...connectors, ...hints.map(nameOf)]))
  const asked = {
    tokenIn: tokens[tokenIn]!,
    tokenOut: tokens[tokenOut]!,
    amountIn: BigInt(amountIn),
  }
  const legs = await priceLegs(standing, asked, hints)
  const [native, bought] = [market.tokens[nativeOf(market)]!, market.tokens[tokenOut]!]
  const gasUsd = (Number(quote.gasPriceWei) / 10 ** native.decimals) * native.usd
  const costOf = (gas: number) => ((gas * gasUsd) / bought.usd) * 10 ** bought.decimals
  const plan = {
    ...asked,
    grossOut: BigInt(quote.grossOut),
    impactBps: 0n,
    legs: route.legs.map((leg) => ({
      ...leg,
      pool: leg.pool as Address,
      tokenIn: leg.tokenIn as Address,
      tokenOut: leg.tokenOut as Address,
      key: BigInt(leg.key),
      share: BigInt(leg.share),
    })),
  }
  const ours = Number(quote.grossOut) - costOf(await legs.gasOfRoute(plan as never))
  const path = oracle.bestPath(read, tokenIn, tokenOut, Number(amountIn))
  const greedy = oracle.chunked(read, tokenIn, tokenOut, Number(amountIn), PARTS)
  // If gas uses up the output, the ratio means nothing.
  const over = (out: number, gas: number) =>
    out > 2 * costOf(gas) ? (ours / (out - costOf(gas)) - 1) * BPS : 0
  return {
    path: over(path.out, await pathGas(legs, read, path, Number(amountIn))),
    greedy: over(greedy.out, await sumOf(greedy.used, legs)),
  }
}

export function figuresOfFirstNet(set: string, measured: readonly FirstNet[]): Figure[] {
  const worst = (key: 'path' | 'greedy') =>
    quantile(
      measured.map((each) => each[key]),
      0,
    )
  const below = measured.filter(({ greedy, path }) => Math.min(greedy, path) < -0.1).length
  const rows: [string, number, string][] = [
    ['trades', measured.length, 'count'],
    ['net.vsPath', worst('path'), 'bps'],
    ['net.vsGreedy50', worst('greedy'), 'bps'],
    ['net.below', below, 'count'],
  ]
  return rows.map(([figure, value, unit]) => ({ bench: 'quality', figure, value, unit, set }))
}
