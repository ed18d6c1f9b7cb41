import type { Plan } from '../plan/Plan.js'
import type { QuoteRequest } from '../request/QuoteRequest.js'
import * as Addresses from '../values/Addresses.js'
import * as Amounts from '../values/Amounts.js'

/** Price of the native coin: `out` base units of a token for `wei`. */
export type Rate = { readonly wei: bigint; readonly out: bigint }

/** Where the gas price of a quote comes from. */
export type Source = 'node' | 'caller' | 'none'

/** Source of the gas price of a request; `none` if gas is not counted. */
export function sourceOf({ gasPrice, takesNodePrice }: QuoteRequest): Source {
  if (gasPrice === 0n) return 'none'
  return takesNodePrice ? 'node' : 'caller'
}

/** A plan and its request, with the gas to price. */
export type Priced = {
  readonly request: QuoteRequest
  readonly plan: Plan
  /** Gas of the whole transaction. */
  readonly estGas: bigint
}

/**
 * Cost of a quote's gas in base units of its output token, rounded up; `undefined` if the native coin has no known price.
 *
 * @param rate Price of the native coin in the output token, used if the trade itself does not tell it.
 */
export function of({ estGas, plan, request }: Priced, rate?: Rate): bigint | undefined {
  if (request.gasPrice === 0n) return 0n
  const known = rateOf(request, plan) ?? rate
  if (known === undefined || known.wei === 0n) return undefined
  const costWei = estGas * request.gasPrice
  return (costWei * known.out + known.wei - 1n) / known.wei
}

/** Price that follows from the trade if one of its tokens is the native coin: the price before the trade's own impact. */
function rateOf({ chain, tokenIn, tokenOut }: QuoteRequest, { route }: Plan): Rate | undefined {
  if (Addresses.equal(tokenOut.address, chain.wrappedNative)) return { wei: 1n, out: 1n }
  if (!Addresses.equal(tokenIn.address, chain.wrappedNative)) return undefined
  const keptBps = Amounts.wholeBps - route.impactBps
  if (keptBps <= 0n) return undefined
  return { wei: route.amountIn * keptBps, out: route.grossOut * Amounts.wholeBps }
}
