import { PoolHints } from '@sluice/domain'
import type { Address, Hex } from 'viem'
import type { Held } from './createReadings.js'

/** The pools that hold a token. */
export type Holding = { readonly holding: (token: Address) => readonly Held[] }

/** Maximum number of packs of pools whose contents are known. */
const maxPacks = 3

export type PoolTrade = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Tokens that the route may pass through. */
  readonly through: readonly Address[]
  /** Pools that no route may use. */
  readonly isBanned?: ((pool: Hex) => boolean) | undefined
}

/** Packs of pool hints, each of which fits into one call. */
export type Packs = {
  /** Of pools whose contents are known, the deepest first. The first pack is tried beside a quote, all in the background. */
  readonly held: readonly (readonly PoolHints.PoolHint[])[]
  /**
   * Of pools with an id. What they hold only they say, and hooks may say something else in the next block, so that they have a
   * pack of their own, which no quote tries unasked.
   */
  readonly named: readonly PoolHints.PoolHint[]
}

/** Two sets of tokens: a pool serves if it holds one of each. */
type Sides = readonly [readonly Address[], readonly Address[]]

/** How the places of a pack are dealt: to pools of both tokens, of each token, and between the tokens of other hops. */
const deal = ['whole', 'whole', 'first', 'last', 'whole', 'first', 'last', 'middle'] as const

/**
 * Chooses pool hints by what the pools hold.
 *
 * Prices are not used: anybody can register a pool with a false one. A pool is as deep as the lesser of its two shares, so
 * that it takes both tokens, in amounts like those of the deepest pool, to come before an honest one.
 */
export function choosePools(
  { held, named }: { readonly held: Holding; readonly named: Holding },
  trade: PoolTrade,
): Packs {
  const pools = chooseAmong(held, trade, maxPacks * PoolHints.max)
  const packs = Math.ceil(pools.length / PoolHints.max)
  return {
    held: Array.from({ length: packs }, (_, pack) =>
      pools.slice(pack * PoolHints.max, (pack + 1) * PoolHints.max),
    ),
    named: chooseAmong(named, trade, PoolHints.max),
  }
}

/** A pack of both kinds, for a trade that has no route without hints. */
export function mixOf({ held: [deepest = []], named }: Packs): readonly PoolHints.PoolHint[] {
  return [
    ...named.slice(0, PoolHints.max / 2),
    ...deepest,
    ...named.slice(PoolHints.max / 2),
  ].slice(0, PoolHints.max)
}

function chooseAmong(
  pools: Holding,
  { isBanned, ...trade }: PoolTrade,
  most: number,
): readonly PoolHints.PoolHint[] {
  const [tokenIn, tokenOut] = [lower(trade.tokenIn), lower(trade.tokenOut)]
  const through = trade.through.map(lower).filter((token) => ![tokenIn, tokenOut].includes(token))
  const rank = (sides: Sides) => deepest(pools, sides).values()
  const queues = {
    whole: rank([[tokenIn], [tokenOut]]),
    first: rank([[tokenIn], through]),
    last: rank([through, [tokenOut]]),
    middle: rank([through, through]),
  }
  const chosen = new Set<Hex>()
  let isOver = false
  while (!isOver && chosen.size < most) {
    isOver = true
    for (const queue of deal) {
      const next = queues[queue].next()
      if (next.done) continue
      isOver = false
      if (!isBanned?.(next.value)) chosen.add(next.value)
    }
  }
  return [...chosen].slice(0, most).map((pool) => PoolHints.fromWord(pool.slice(2)))
}

/** Pools that hold a token of each side, the deepest first. */
function deepest(pools: Holding, [from, to]: Sides): readonly Hex[] {
  const others = new Set(to)
  const found = from.flatMap((token) =>
    pools
      .holding(token)
      .flatMap((depth) =>
        depth.tokens
          .filter((other) => other !== token && others.has(other))
          .map((other) => ({ pool: depth.pool, sides: [token, other].map(heldBy(depth)) })),
      ),
  )
  const most = new Map<Address, number>()
  for (const { sides } of found)
    for (const { balance, token } of sides) most.set(token, Math.max(most.get(token) ?? 0, balance))
  const shareOf = ({ sides }: (typeof found)[number]) =>
    Math.min(...sides.map(({ balance, token }) => balance / most.get(token)!))
  const sorted = found.sort((a, b) => shareOf(b) - shareOf(a))
  return [...new Set(sorted.map(({ pool }) => pool))]
}

function heldBy({ balances, tokens }: Held) {
  return (token: Address) => ({ token, balance: balances[tokens.indexOf(token)]! })
}

function lower(token: Address): Address {
  return token.toLowerCase() as Address
}
