import type { Address } from 'viem'

/** Two tokens, the one of the lower address first. */
export type TokenPair = readonly [Address, Address]

/** Orders two tokens as pools do. */
export function pairOf(a: Address, b: Address): TokenPair {
  return a.toLowerCase() < b.toLowerCase() ? [a, b] : [b, a]
}

/** All pairs of some tokens. */
export function pairsOf(tokens: readonly Address[]): readonly TokenPair[] {
  return tokens.flatMap((a, index) => tokens.slice(index + 1).map((b) => pairOf(a, b)))
}
