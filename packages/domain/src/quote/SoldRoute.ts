import type { Plan, Route } from '../plan/Plan.js'
import type { QuoteRequest } from '../request/QuoteRequest.js'
import * as Amounts from '../values/Amounts.js'

/** Tolerance of a request for an output that names none, in basis points. */
export const defaultSlippageBps = 50

/**
 * The route as the transaction carries it.
 *
 * For an output, the slippage pads the input, never the output. The route then promises what the quoted input delivers for
 * the padded one, so that the Router's floor stays below the requested output. What the padding buys goes to the recipient.
 */
export function of(request: Pick<QuoteRequest, 'amountOut' | 'slippageBps'>, plan: Plan): Route {
  if (request.amountOut === undefined) return plan.route
  return { ...plan.route, amountIn: maxInput(plan.route.amountIn, request.slippageBps) }
}

/** Input that a transaction for an output sells, in base units, rounded up. */
export function maxInput(amountIn: bigint, slippageBps: number = defaultSlippageBps): bigint {
  const padding = amountIn * BigInt(slippageBps)
  return amountIn + (padding + Amounts.wholeBps - 1n) / Amounts.wholeBps
}
