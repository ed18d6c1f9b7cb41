import { Lru } from '@sluice/domain'
import type { Address } from 'viem'

/** Failures after which a token is banned. */
const mostStrikes = 3
/** How long each failure counts, in milliseconds. */
const keptMs = 3_600_000
const mostTokens = 2_000

/**
 * Counts failed swaps by token. A token that fails only sometimes can pass a dry run, so a single failure proves
 * little.
 *
 * @param now Unix milliseconds.
 * @returns A function that records the tokens of a failed swap and returns those to ban: if any of them has reached the
 * limit, all that have. Sound tokens fail only if they share a route with a bad one.
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
