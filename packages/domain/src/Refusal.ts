import type { Verdict } from './Plan.js'
import type { QuotableVerdict } from './Quote.js'

export type Refusal = {
  readonly code: 'no_route' | 'bad_in' | 'bad_out'
  readonly message: string
}

/** What is told where the chain's verdict is that there is nothing to quote. */
export function of(verdict: Exclude<Verdict, QuotableVerdict>): Refusal {
  return refusals[verdict]
}

const refusals: Readonly<Record<Exclude<Verdict, QuotableVerdict>, Refusal>> = {
  NoRoute: {
    code: 'no_route',
    message: 'No pools connect the two tokens for this amount.',
  },
  TokenInNotContract: {
    code: 'bad_in',
    message: '`in` is not a token: the address holds no code on this chain.',
  },
  TokenOutNotContract: {
    code: 'bad_out',
    message: '`out` is not a token: the address holds no code on this chain.',
  },
  NothingOut: {
    code: 'no_route',
    message: 'The output is zero after the protocol fee: `amountIn` is too small.',
  },
}
