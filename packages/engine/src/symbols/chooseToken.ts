import { Tokens } from '@sluice/domain'
import type { Address } from 'viem'
import type { Candidate } from './measureDepth.js'

/** What a symbol is looked up for: to trade it, or to report on it, which needs no depth. */
export type Purpose = 'trade' | 'report'

/** Least depth of a token that is traded by its symbol. */
export const minDepthUsd = 10_000
/** The deepest token must be so many times as deep as the next one with its symbol. */
const minLead = 3

/**
 * The winner, if it is one beyond doubt.
 *
 * @param candidates The deepest first.
 */
export function chooseToken(
  [first, second]: readonly Candidate[],
  purpose: Purpose,
): Tokens.Resolved {
  if (first === undefined)
    return Tokens.unresolved('is the symbol of no token with liquidity that can be traded on')
  if (purpose === 'trade' && first.depthUsd < minDepthUsd)
    return Tokens.unresolved(
      `is the symbol of no token with real liquidity of ${minDepthUsd} USD or more`,
    )
  if (second !== undefined && second.depthUsd * minLead > first.depthUsd)
    return Tokens.unresolved('is the symbol of several tokens of similar liquidity')
  return foundToken({ ...first, symbol: first.symbol! })
}

/** @param token.depthUsd `undefined` if it was not measured. */
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
