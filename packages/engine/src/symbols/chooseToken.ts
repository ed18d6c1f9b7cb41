import { Tokens } from '@sluice/domain'
import type { Address } from 'viem'
import type { Candidate } from './measureDepth.js'

/** Why a symbol is looked up: to trade the token, or to report on it, which needs no minimum depth. */
export type Purpose = 'trade' | 'report'

/** Minimum depth of a token that can be traded by its symbol, in USD. */
export const minDepthUsd = 10_000
/** Minimum ratio of the deepest token's depth to the second one's. */
const minLead = 3

/**
 * Returns the token that a symbol means, if it is unambiguous.
 *
 * @param candidates Sorted by depth, deepest first.
 */
export function chooseToken(
  [first, second]: readonly Candidate[],
  purpose: Purpose,
): Tokens.Resolved {
  if (first === undefined)
    return Tokens.unresolved('is the symbol of no token with tradable liquidity')
  if (purpose === 'trade' && first.depthUsd < minDepthUsd)
    return Tokens.unresolved(
      `is the symbol of no token with at least ${minDepthUsd} USD of real liquidity`,
    )
  if (second !== undefined && second.depthUsd * minLead > first.depthUsd)
    return Tokens.unresolved('is the symbol of several tokens of similar liquidity')
  return foundToken({ ...first, symbol: first.symbol! })
}

/** @param token.depthUsd USD; `undefined` if it was not measured. */
export function foundToken(token: {
  address: Address
  symbol: string
  name: string | undefined
  depthUsd: number | undefined
}): Tokens.Resolved {
  const { address, depthUsd, name = null, symbol } = token
  const liquidityUsd = depthUsd === undefined ? null : Math.round(100 * depthUsd) / 100
  return {
    ok: true,
    token: { address, isNative: false, resolved: { symbol, name, liquidityUsd } },
  }
}
