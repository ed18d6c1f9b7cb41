import type { Plan } from '../plan/Plan.js'
import type { QuoteRequest } from '../request/QuoteRequest.js'
import * as Addresses from '../values/Addresses.js'
import * as Amounts from '../values/Amounts.js'

/** What the native coin is worth: `out` base units of a token for `wei` of it. */
export type Rate = { readonly wei: bigint; readonly out: bigint }

/** Who said what a unit of gas costs. */
export type Source = 'node' | 'caller' | 'none'

/** Whose gas price a quote counts; `none` if it counts none. */
export function sourceOf({ gasPrice, takesNodePrice }: QuoteRequest): Source {
  if (gasPrice === 0n) return 'none'
  return takesNodePrice ? 'node' : 'caller'
}

/** A plan whose gas is to be priced, for its request. */
export type Priced = {
  readonly request: QuoteRequest
  readonly plan: Plan
  /** Gas of the whole transaction. */
  readonly estGas: bigint
}

/**
 * What the gas of a quote costs in base units of its output token, rounded up; `undefined` if nobody can tell.
 *
 * @param rate What the native coin is worth in the output token, if the trade itself does not say.
 */
export function of({ estGas, plan, request }: Priced, rate?: Rate): bigint | undefined {
  if (request.gasPrice === 0n) return 0n
  const known = rateOf(request, plan) ?? rate
  if (known === undefined || known.wei === 0n) return undefined
  const costWei = estGas * request.gasPrice
  return (costWei * known.out + known.wei - 1n) / known.wei
}

/** What the trade itself says: one of its tokens is the native coin, and the price before its own impact counts. */
function rateOf({ chain, tokenIn, tokenOut }: QuoteRequest, { route }: Plan): Rate | undefined {
  if (Addresses.equal(tokenOut.address, chain.wrappedNative)) return { wei: 1n, out: 1n }
  if (!Addresses.equal(tokenIn.address, chain.wrappedNative)) return undefined
  const keptBps = Amounts.wholeBps - route.impactBps
  if (keptBps <= 0n) return undefined
  return { wei: route.amountIn * keptBps, out: route.grossOut * Amounts.wholeBps }
}
