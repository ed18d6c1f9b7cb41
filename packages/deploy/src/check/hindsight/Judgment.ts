import type { Answer } from './quoteSwap.js'
import type { Exchange } from './readSwap.js'
import type { Source } from './swapEvents.js'

/** Who paid more, judged by the block before: there the swap has not moved the price yet. */
export type Outcome = 'win' | 'equal' | 'loss' | 'not_comparable'

/**
 * Why:
 *
 * - wins: `better_split`, `better_path`; `their_fee` if what others kept of the output makes up the difference;
 * - losses: `our_fee` if we win before our fee; `not_covered` if the swap used a pool that the config does not reach; `no_route`;
 *   `truncated` if a limit ended our search; `worse_route` if none of these explains it;
 * - `price_moved`: what was paid lies between the quotes before and after, and the swap alone does not explain it: transactions before
 *   it in the block changed its pools, or what is left after it would pay more;
 * - `taxed_token`, `node_failed`: not comparable.
 */
export type Cause =
  | 'better_split'
  | 'better_path'
  | 'their_fee'
  | 'same'
  | 'our_fee'
  | 'not_covered'
  | 'no_route'
  | 'truncated'
  | 'worse_route'
  | 'price_moved'
  | 'taxed_token'
  | 'node_failed'

/** What is known of a swap. */
export type Facts = {
  readonly swap: Pick<Exchange, 'amountOut' | 'keptOut'>
  readonly before: Answer
  readonly after: Answer
  /** A transaction before it in its block changed one of its pools. */
  readonly isMoved: boolean
  /** One of its tokens taxes transfers. */
  readonly isTaxed: boolean
  /** Pools that it used and the config does not reach. */
  readonly uncovered: readonly Source[]
}

export type Judgment = { readonly outcome: Outcome; readonly cause: Cause }

/** Compares what was paid with what Sluice would have paid. */
export function judge(facts: Facts): Judgment {
  const { before, isTaxed, swap } = facts
  if (isTaxed) return { outcome: 'not_comparable', cause: 'taxed_token' }
  if ('failed' in before) return { outcome: 'not_comparable', cause: 'node_failed' }
  if (before.verdict !== 'Executable') return { outcome: 'loss', cause: lossWithoutRoute(facts) }
  if (before.netOut > swap.amountOut) return { outcome: 'win', cause: winOf(facts, before) }
  if (before.netOut === swap.amountOut) return { outcome: 'equal', cause: 'same' }
  return { outcome: 'loss', cause: lossOf(facts, before) }
}

type Quoted = Exclude<Answer, { failed: string }>

function winOf({ after, isMoved, swap }: Facts, before: Quoted): Cause {
  // The price fell before the swap or by the swap: its block does not tell which.
  if (isMoved && !('failed' in after) && after.netOut < swap.amountOut) return 'price_moved'
  if (before.netOut <= swap.amountOut + swap.keptOut) return 'their_fee'
  const sold = before.legs.map(({ tokenIn }) => tokenIn)
  return new Set(sold).size < sold.length ? 'better_split' : 'better_path'
}

function lossOf({ after, isMoved, swap, uncovered }: Facts, before: Quoted): Cause {
  if (before.grossOut >= swap.amountOut) return 'our_fee'
  if (!('failed' in after) && after.grossOut >= swap.amountOut) return 'price_moved'
  if (uncovered.length > 0) return 'not_covered'
  if (isMoved) return 'price_moved'
  return before.truncated ? 'truncated' : 'worse_route'
}

function lossWithoutRoute({ before, uncovered }: Facts): Cause {
  if (uncovered.length > 0) return 'not_covered'
  return 'truncated' in before && before.truncated ? 'truncated' : 'no_route'
}

/** How much more an amount is than what was paid, in basis points of the latter; `null` if no amount was computed. */
export function differenceBps(amount: bigint | null, paid: bigint): number | null {
  if (amount === null || paid === 0n) return null
  return Number(((amount - paid) * 100_000_000n) / paid) / 10_000
}
