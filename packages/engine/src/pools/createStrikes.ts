import { Lru } from '@sluice/domain'
import type { Address } from 'viem'

/** Failed swaps after which a token is not believed, and how long each of them counts. */
const mostStrikes = 3
const keptMs = 3_600_000
const mostTokens = 2_000

/**
 * Counts the swaps that failed through a token. A token that fails only sometimes passes the dry run that would convict
 * it, so that each failure alone says too little.
 *
 * @param now Unix milliseconds.
 * @returns What notes the tokens of a failed swap, and returns those that failed too often: of the swap's tokens the ones
 * with the most failures, because sound tokens fail only where they share a route with a bad one.
 */
export function createStrikes(
  now: () => number,
): (tokens: readonly Address[]) => readonly Address[] {
  const strikes = Lru.create<string, readonly number[]>(mostTokens)
  return (tokens) => {
    const counts = tokens.map((token) => {
      const recent = (strikes.get(token.toLowerCase()) ?? []).filter((at) => now() - at < keptMs)
      const struck = [...recent, now()].slice(-mostStrikes)
      strikes.put(token.toLowerCase(), struck)
      return struck.length
    })
    return Math.max(0, ...counts) < mostStrikes
      ? []
      : tokens.filter((_, index) => counts[index] === mostStrikes)
  }
}
