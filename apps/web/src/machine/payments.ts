import type { Next } from './events.js'
import { isSwapNext, lacksAllowance, lacksBalance } from './facts.js'
import { only, same } from './next.js'
import { paymentKeyOf, paymentOf } from './question.js'
import type { Payment, Shown, State } from './State.js'

/** Notes how an account pays for a token, or that it is not known. */
export function withPayment(
  state: State,
  key: string | undefined,
  payment: Payment | undefined,
): State {
  if (key === undefined) return state
  const payments = new Map(state.payments)
  if (payment === undefined) payments.delete(key)
  else payments.set(key, payment)
  return { ...state, payments }
}

/**
 * Before an approval is asked for, it is found out whether a signature does. A signature that does no more, because Permit2
 * is allowed too little or the token has changed, makes room for the approval.
 */
export function lookForPayment(state: State, { parameters, quote }: Shown): Next<State> {
  const paymentKey = paymentKeyOf(state)
  const isPossible = !lacksBalance(quote) && quote.issues?.simulation === undefined
  if (paymentKey === undefined || !isPossible || state.step.at !== 'form') return same(state)
  if (parameters.signature !== undefined)
    return isSwapNext(quote) ? same(state) : only(withPayment(state, paymentKey, 'approve'))
  if (!lacksAllowance(quote) || paymentOf(state) !== undefined) return same(state)
  return {
    state: withPayment(state, paymentKey, 'looking'),
    effects: [{ do: 'findPayment', paymentKey, parameters }],
  }
}

/** Leaves signatures for this token and account, for an approval. */
export function approveInstead(state: State): State {
  const { at } = state.step
  if (at !== 'form' && at !== 'review') return state
  return { ...withPayment(state, paymentKeyOf(state), 'approve'), step: { at: 'form' } }
}
