import { type Address, zeroAddress } from 'viem'
import type { PoolStore } from './PoolStore.js'

/** Maximum number of neighbors read for each token. */
const neighbourLimit = 400
/** Maximum number of neighbors of `tokenIn` whose own neighbors are read; each costs a query. */
const linkLimit = 60

export type Pair = {
  readonly store: PoolStore
  readonly chainId: number
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** The wrapped form of the native coin. Uniswap V4 trades the coin itself. */
  readonly wrappedNative: Address
  /** The chain's connector tokens, which need no hint. */
  readonly connectorTokens: readonly Address[]
  /** Tokens of each pool that the Hub lists; no factory event announces these. @default none */
  readonly listed?: readonly (readonly Address[])[] | undefined
}

/**
 * Finds tokens that can connect the pair in a route of at most three hops, in groups: a token that joins both sides
 * alone, or two tokens that only join them together.
 *
 * Groups with more connections come first.
 */
export function candidatesOf(pair: Pair): readonly (readonly Address[])[] {
  const { chainId, connectorTokens, listed = [], store, tokenIn, tokenOut } = pair
  const wrappedNative = lower(pair.wrappedNative)
  const together = listed.map((tokens) => tokens.map(lower))
  const near = (token: Address) => {
    const names = lower(token) === wrappedNative ? [token, zeroAddress] : [token]
    const announced = names.flatMap((name) => store.neighbors(chainId, name, neighbourLimit))
    const beside = together.filter((tokens) => tokens.includes(lower(token))).flat()
    const tokens = new Set(
      [...beside, ...announced].map((near) => (near === zeroAddress ? wrappedNative : near)),
    )
    tokens.delete(lower(token))
    return tokens
  }
  const known = new Set([tokenIn, tokenOut, ...connectorTokens].map(lower))
  const [nearIn, nearOut] = [near(tokenIn), near(tokenOut)]
  const sides = new Set([...nearIn, ...nearOut].filter((token) => !known.has(token)))
  const nearConnectors = connectorTokens.map(near)
  const joins = [...sides]
    .map((token) => {
      const both = nearIn.has(token) && nearOut.has(token)
      const connected = nearConnectors.filter((tokens) => tokens.has(token)).length
      return { group: [token], score: (both ? 10 : 0) + connected }
    })
    .filter(({ score }) => score > 0)
  const links = linksOf(nearIn, nearOut, known, near).map((group) => ({ group, score: 5 }))
  return [...joins, ...links].sort((a, b) => b.score - a.score).map(({ group }) => group)
}

/** Finds pairs of tokens that share a pool, one a neighbor of `tokenIn` and one a neighbor of `tokenOut`. */
function linksOf(
  nearIn: ReadonlySet<Address>,
  nearOut: ReadonlySet<Address>,
  known: ReadonlySet<Address>,
  near: (token: Address) => ReadonlySet<Address>,
): Address[][] {
  const first = [...nearIn].filter((token) => !known.has(token)).slice(0, linkLimit)
  return first.flatMap((token) =>
    [...near(token)]
      .filter((other) => other !== token && nearOut.has(other) && !known.has(other))
      .map((other) => [token, other]),
  )
}

function lower(token: Address): Address {
  return token.toLowerCase() as Address
}
