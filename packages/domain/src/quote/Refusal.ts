import type { Verdict } from '../plan/Plan.js'
import type { QuotableVerdict } from './Quote.js'

/** Why a trade has no route, in words for the caller. */
export type Refusal = {
  readonly code: 'no_route' | 'bad_in' | 'bad_out'
  readonly message: string
  readonly details: readonly Detail[]
}

/** Why there is no route, and the parameter that decides it. */
export type Detail = {
  readonly field: 'in' | 'out' | 'amountIn'
  readonly code: Cause
  readonly reason: string
}

/** Stable codes of what stands between a trade and its route. */
export const causes = [
  /** No pools connect the tokens, or none of them takes the amount. */
  'no_pools',
  /** Pools connect the tokens, but the output rounds to nothing. */
  'nothing_out',
  /** A token refuses transfers. */
  'transfer_paused',
  /** A run of the swap on the live pools failed for another reason. */
  'dry_run_failed',
] as const
export type Cause = (typeof causes)[number]

function refusal(field: Detail['field'], code: Cause, reason: string): Refusal {
  const name = field === 'in' || field === 'out' ? `The token of \`${field}\`` : '`amountIn`'
  return {
    code: 'no_route',
    message: `${name} ${reason}.`,
    details: [{ field, code, reason }],
  }
}

/** What is told if the swap would revert; the token that refuses transfers, if one does. */
export function ofRun(side: 'in' | 'out' | undefined): Refusal {
  if (side === undefined) return runFailed
  return refusal(side, 'transfer_paused', 'refuses transfers, so the swap would revert')
}

const runFailed: Refusal = {
  code: 'no_route',
  message:
    'A run of the swap on the live pools failed, so it would revert: a token or a pool refuses it.',
  details: [
    { field: 'in', code: 'dry_run_failed', reason: 'cannot be sold for `out` on the live pools' },
  ],
}

/** What is told if the chain's verdict is that there is nothing to quote. */
export function of(verdict: Exclude<Verdict, QuotableVerdict>): Refusal {
  return refusals[verdict]
}

const refusals: Readonly<Record<Exclude<Verdict, QuotableVerdict>, Refusal>> = {
  NoRoute: {
    code: 'no_route',
    message: 'No pools connect the two tokens for this amount.',
    details: [
      {
        field: 'out',
        code: 'no_pools',
        reason: 'is connected with `in` by no pools for this amount',
      },
    ],
  },
  TokenInNotContract: {
    code: 'bad_in',
    message: '`in` is not a token: the address holds no code on this chain.',
    details: [],
  },
  TokenOutNotContract: {
    code: 'bad_out',
    message: '`out` is not a token: the address holds no code on this chain.',
    details: [],
  },
  NothingOut: refusal('amountIn', 'nothing_out', 'is too small: the output rounds to nothing'),
}
