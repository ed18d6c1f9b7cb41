import type { Plan, PlanChecks } from '@sluice/domain'
import type { Address } from 'viem'
import { type Figure, quantile } from '../../lib/figures.js'
import { askQuoter } from '../askQuoter.js'
import type { StoredTrade } from '../loadTrades.js'
import { nativeOf, type Standing } from '../Standing.js'

/** A trade quoted with a gas price, compared with the same trade quoted without one. */
export type Priced = { readonly id: string; readonly gasPrice: bigint; readonly bps: number }

/** In wei: from a rollup to a busy day. */
const gasPrices = [10n ** 8n, 2n * 10n ** 9n, 2n * 10n ** 10n, 10n ** 11n]
/** Amount that is quoted to learn the value of the native coin. */
const soldWei = 10n ** 16n
const BPS = 10_000

/**
 * Compares each trade's output net of gas when quoted with a gas price and without one, both at the same gas price. A
 * caller must not get more by hiding the gas price.
 */
export async function measurePriced(
  standing: Standing,
  trades: readonly StoredTrade[],
): Promise<Priced[]> {
  const { market, tokens } = standing
  const native = tokens[nativeOf(market)]!
  const ask = (asked: PlanChecks.Trade, gasPrice: bigint) =>
    askQuoter(standing, asked, [], gasPrice)
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
