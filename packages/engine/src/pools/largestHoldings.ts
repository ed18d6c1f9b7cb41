import type { Address } from 'viem'
import { wrappedOf } from './Candidate.js'
import type { Held } from './createReadings.js'
import type { Depth } from './readDepths.js'

/**
 * Returns the most that any pool is known to hold of each token, in lower case. The native currency counts as its wrapped token.
 *
 * What pools have in their own name comes first. Estimates count only for tokens that no such pool has: anybody can make a price and
 * a liquidity that look like any amount.
 *
 * @param others What other pools are said to hold; these count as estimates.
 */
export function largestHoldings(
  depths: readonly Depth[],
  others: readonly Held[],
  wrapped: Address,
): ReadonlyMap<Address, number> {
  const [owned, estimated] = [new Map<Address, number>(), new Map<Address, number>()]
  const note = (found: Map<Address, number>, token: Address, amount: number) => {
    const name = wrappedOf(token, wrapped)
    found.set(name, Math.max(found.get(name) ?? 0, amount))
  }
  for (const { isEstimate, most0, most1, token0, token1 } of depths) {
    const found = isEstimate ? estimated : owned
    note(found, token0, most0)
    note(found, token1, most1)
  }
  for (const { balances, tokens } of others)
    for (const [index, token] of tokens.entries()) note(estimated, token, balances[index]!)
  return new Map([...estimated, ...owned])
}
