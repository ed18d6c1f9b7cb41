import { Addresses } from '@sluice/domain'
import type { Address } from 'viem'
import { isSingleton, type MarketPair } from './MarketPair.js'
import { maxRows } from './MarketSource.js'

/**
 * Keeps rows about the requested token, by address or by symbol. The native coin is only accepted in pools of a shared
 * contract.
 */
export function keepRows(
  rows: readonly MarketPair[],
  asked: { token: Address } | { symbol: string },
): readonly MarketPair[] {
  const seen = new Set<string>()
  const kept = rows.filter((row) => {
    const { base, pair, quote } = row
    const isKept =
      !seen.has(pair) &&
      !Addresses.equal(base.address, quote.address) &&
      (isSingleton(row) || ![base, quote].some(isNative)) &&
      [base, quote].some((token) => isAsked(token, asked))
    if (isKept) seen.add(pair)
    return isKept
  })
  return kept.slice(0, maxRows)
}

/** Whether the token is the native coin, which sources write as the zero address. */
function isNative({ address }: MarketPair['base']): boolean {
  return Addresses.equal(address, Addresses.zero)
}

function isAsked(
  token: MarketPair['base'],
  asked: { token: Address } | { symbol: string },
): boolean {
  if ('token' in asked) return Addresses.equal(token.address, asked.token)
  return token.symbol?.toUpperCase() === asked.symbol.toUpperCase()
}
