import type { Plan, PlanChecks } from '@sluice/domain'
import type { Address } from 'viem'
import { type Figure, quantile } from '../../lib/figures.js'
import { askQuoter } from '../askQuoter.js'
import type { StoredTrade } from '../loadTrades.js'
import { nativeOf, type Standing } from '../Standing.js'

/** A trade at one gas price, against the same trade without one. */
export type Priced = { readonly id: string; readonly gasPrice: bigint; readonly bps: number }

/** In wei: a rollup's, a quiet and a busy day's. */
const gasPrices = [10n ** 8n, 2n * 10n ** 9n, 2n * 10n ** 10n, 10n ** 11n]
/** Sold to learn what the native coin is worth. */
const soldWei = 10n ** 16n
const BPS = 10_000

/**
 * What each trade brings after its gas, quoted at a gas price, over what it brings after the same gas price quoted without
 * one: nobody may fare better by hiding what gas costs them.
 */
export async function measurePriced(
  { contracts, market, rpc, tokens }: Standing,
  trades: readonly StoredTrade[],
): Promise<Priced[]> {
  const native = tokens[nativeOf(market)]!
  const ask = (asked: PlanChecks.Trade, gasPrice: bigint) =>
    askQuoter(rpc, contracts.quoter, asked, [], gasPrice)
  const rateOf = async (tokenOut: Address) => {
    if (tokenOut === native) return 1
    const { plan } = await ask({ tokenIn: native, tokenOut, amountIn: soldWei }, 0n)
    return Number(plan.route.grossOut) / Number(soldWei)
  }
  const measured: Priced[] = []
  for (const { amountIn, id, ...trade } of trades) {
    const [tokenIn, tokenOut] = [tokens[trade.tokenIn]!, tokens[trade.tokenOut]!]
    const asked = { tokenIn, tokenOut, amountIn: BigInt(amountIn) }
    const rate = await rateOf(tokenOut)
    const { plan: plain } = await ask(asked, 0n)
    for (const gasPrice of rate > 0 ? gasPrices : []) {
      const { plan } = await ask(asked, gasPrice)
      const net = ({ estGas, netOut }: Plan.Plan) =>
        Number(netOut) - Number(estGas * gasPrice) * rate
      const bps = (BPS * (net(plan) - net(plain))) / Number(plain.netOut)
      if (net(plain) > 0) measured.push({ id, gasPrice, bps })
    }
  }
  return measured
}

export function figuresOfPriced(set: string, measured: readonly Priced[]): Figure[] {
  const bps = measured.map((each) => each.bps)
  const rows: [string, number, string][] = [
    ['trades', measured.length, 'count'],
    ['net.vsUnpriced', quantile(bps, 0), 'bps'],
    ['net.vsUnpriced.p10', quantile(bps, 0.1), 'bps'],
    ['beaten', bps.filter((each) => each < -0.1).length, 'count'],
  ]
  return rows.map(([figure, value, unit]) => ({ bench: 'quality', figure, value, unit, set }))
}
