import { PoolHints } from '@sluice/domain'
import { type Address, getAddress } from 'viem'
import type { HintedPools } from './createHintedPools.js'
import type { Held } from './createReadings.js'

/** Maximum number of packs. All are tried in the background, and the first one beside a quote. */
const maxPacks = 3

export type PoolTrade = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Tokens that the route may pass through. */
  readonly through: readonly Address[]
  /** Pools that no route may use. */
  readonly isBanned?: ((pool: Address) => boolean) | undefined
}

/** Two sets of tokens: a pool serves if it holds one of each. */
type Sides = readonly [readonly Address[], readonly Address[]]

/** How the places of a pack are dealt: to pools of both tokens, of each token, and between the tokens of other hops. */
const deal = ['whole', 'whole', 'first', 'last', 'whole', 'first', 'last', 'middle'] as const

/**
 * Chooses pool hints by what the pools hold, in packs that fit into one call.
 *
 * Prices are not used: anybody can register a pool with a false one. A pool is as deep as the lesser of its two shares, so
 * that it takes both tokens, in amounts like those of the deepest pool, to come before an honest one.
 */
export function choosePools(
  hinted: Pick<HintedPools, 'holding'>,
  { isBanned, ...trade }: PoolTrade,
): readonly (readonly PoolHints.PoolHint[])[] {
  const [tokenIn, tokenOut] = [lower(trade.tokenIn), lower(trade.tokenOut)]
  const through = trade.through.map(lower).filter((token) => ![tokenIn, tokenOut].includes(token))
  const rank = (sides: Sides) => deepest(hinted, sides).values()
  const queues = {
    whole: rank([[tokenIn], [tokenOut]]),
    first: rank([[tokenIn], through]),
    last: rank([through, [tokenOut]]),
    middle: rank([through, through]),
  }
  const chosen = new Set<Address>()
  const most = maxPacks * PoolHints.max
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
  const pools = [...chosen].slice(0, most).map((pool) => getAddress(pool))
  return Array.from({ length: Math.ceil(pools.length / PoolHints.max) }, (_, pack) =>
    pools.slice(pack * PoolHints.max, (pack + 1) * PoolHints.max),
  )
}

/** Pools that hold a token of each side, the deepest first. */
function deepest(hinted: Pick<HintedPools, 'holding'>, [from, to]: Sides): readonly Address[] {
  const others = new Set(to)
  const found = from.flatMap((token) =>
    hinted
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
