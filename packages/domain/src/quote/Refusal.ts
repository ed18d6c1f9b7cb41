import type { QuotableVerdict, Verdict } from '../plan/Plan.js'

/** Error for the caller of a trade that cannot be quoted. */
export type Refusal = {
  readonly code: 'no_route' | 'bad_in' | 'bad_out'
  readonly message: string
  readonly details: readonly Detail[]
}

/** Cause, with the parameter to change. */
export type Detail = {
  readonly field: 'in' | 'out' | 'amountIn' | 'amountOut'
  readonly code: Cause
  readonly reason: string
}

/** Stable codes of the causes of `no_route`. */
export const causes = [
  /** No pools connect the tokens, or none of them accepts the amount. */
  'no_pools',
  /** Pools connect the tokens, but the output rounds to zero. */
  'nothing_out',
  /** A token rejects transfers. */
  'transfer_paused',
  /** A dry run of the swap on the live pools failed for another reason. */
  'dry_run_failed',
] as const
export type Cause = (typeof causes)[number]

function refusal(field: Detail['field'], code: Cause, reason: string): Refusal {
  const name = field === 'in' || field === 'out' ? `The token of \`${field}\`` : `\`${field}\``
  return {
    code: 'no_route',
    message: `${name} ${reason}.`,
    details: [{ field, code, reason }],
  }
}

/** Error if a dry run failed. @param side The token that rejects transfers, if it is known. */
export function ofRun(side: 'in' | 'out' | undefined): Refusal {
  if (side === undefined) return runFailed
  return refusal(side, 'transfer_paused', 'rejects transfers, so the swap would revert')
}

const runFailed: Refusal = {
  code: 'no_route',
  message:
    'A dry run of the swap on the live pools failed, so the swap would revert: a token or a pool rejects it.',
  details: [
    { field: 'in', code: 'dry_run_failed', reason: 'cannot be sold for `out` on the live pools' },
  ],
}

/**
 * Error for a verdict without a route.
 *
 * @param asked.amountOut The output that was asked for in place of an input, if one was.
 * @param asked.truncated Whether the search ended early, mostly for want of gas.
 */
export function of(
  verdict: Exclude<Verdict, QuotableVerdict>,
  { amountOut, truncated = false }: of.Asked = {},
): Refusal {
  if (verdict === 'NoRoute' && truncated) return cutOff
  if (verdict !== 'NothingOut' || amountOut === undefined) return refusals[verdict]
  return truncated ? cutOffForOutput : nothingForOutput
}

export declare namespace of {
  type Asked = {
    readonly amountOut?: bigint | undefined
    readonly truncated?: boolean | undefined
  }
}

const cutOff: Refusal = {
  code: 'no_route',
  message:
    'No pools that connect the two tokens for this amount were found, and the search ended before it had read all pools.',
  details: [
    {
      field: 'out',
      code: 'no_pools',
      reason:
        'was not reached by the pools that were read: ask a node that allows more gas for a call, or propose fewer `connectors` and `pools`',
    },
  ],
}

const cutOffForOutput = refusal(
  'amountOut',
  'nothing_out',
  'was not found with the gas of the call: the output of every input that was tried rounds to zero. Give the call more gas, or ask for more',
)

const nothingForOutput = refusal(
  'amountOut',
  'nothing_out',
  'cannot be bought: the output of every input that was tried rounds to zero',
)

const refusals: Readonly<Record<Exclude<Verdict, QuotableVerdict>, Refusal>> = {
  NoRoute: {
    code: 'no_route',
    message: 'No pools connect the two tokens for this amount.',
    details: [
      {
        field: 'out',
        code: 'no_pools',
        reason: 'has no pools that connect it with `in` for this amount',
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
  NothingOut: refusal('amountIn', 'nothing_out', 'is too small: the output rounds to zero'),
}
