import { type Address, getAddress } from 'viem'
import { type DepthMap, sidesOf } from './DepthMap.js'
import { networkOf, type Split, splitRoughly } from './splitRoughly.js'

/** Hints that one call takes. */
export const maxHints = 4
/** Tokens beside each side, and tokens beside both, that are looked at: those with the deepest pools. */
const maxNeighbours = 48
/** How many of the hints that the split over all tokens uses are left in each round until a call takes them. */
const shrinking = [16, 10, 7, 5, maxHints] as const
/** Tokens that are tried in the place of a chosen one. */
const maxExchanged = 6

export type Trade = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
  /** The chain's own, which need no hint. */
  readonly connectorTokens: readonly Address[]
  /** Tokens that no route may pass. */
  readonly isBanned?: ((token: Address) => boolean) | undefined
}

/**
 * The connector hints that a trade is best asked with, as far as the depths of pools tell, in packs that a call takes:
 * what a split over all tokens uses most, then what it would use without those.
 *
 * Nothing here is believed: the packs are put to the chain, beside the call without hints.
 */
export function chooseHints(map: DepthMap, trade: Trade): readonly (readonly Address[])[] {
  const [tokenIn, tokenOut] = [lower(trade.tokenIn), lower(trade.tokenOut)]
  const isFree = new Set(trade.connectorTokens.map(lower))
  const middle = middleTokens(map, { ...trade, tokenIn, tokenOut })
  const tokens = [tokenIn, ...new Set([...isFree, ...middle])].filter(
    (token, place) => place === 0 || (token !== tokenIn && token !== tokenOut),
  )
  const network = networkOf(map, [...tokens, tokenOut])
  const isHint = (token: number) => !isFree.has(network.tokens[token]!)
  const amountIn = Number(trade.amountIn)
  const named = (pack: readonly number[]) => pack.map((token) => getAddress(network.tokens[token]!))
  const split = (isIn: (token: number) => boolean) =>
    splitRoughly(network, amountIn, (token) => !isHint(token) || isIn(token))
  const whole = split(() => true)
  const ranked = usedIn(whole, isHint)
  const best = ranked.length > maxHints ? exchange(shrink(ranked, split), ranked, split) : ranked
  const alike = whole.alike.filter((token) => isHint(token) && !best.includes(token))
  const first = [...best, ...alike].slice(0, maxHints)
  if (first.length < maxHints) return [first].filter(isFull).map(named)
  const second = usedIn(
    split((token) => !first.includes(token)),
    isHint,
  )
  return [first, second.slice(0, maxHints)].filter(isFull).map(named)
}

function isFull(pack: readonly number[]): boolean {
  return pack.length > 0
}

/** Splits over the chain's connector tokens and those hints that are let in. */
type SplitOver = (isIn: (token: number) => boolean) => Split

/** Drops the hints that are used least until a call takes the others, and splits again each time. */
function shrink(ranked: readonly number[], split: SplitOver): readonly number[] {
  let used = ranked
  for (const most of shrinking) {
    if (used.length <= most) continue
    const kept = new Set(used.slice(0, most))
    used = usedIn(
      split((token) => kept.has(token)),
      (token) => kept.has(token),
    )
  }
  return used.slice(0, maxHints)
}

/** Lets tokens that were dropped take the place of the one that is used least, while that pays more. */
function exchange(
  chosen: readonly number[],
  ranked: readonly number[],
  split: SplitOver,
): readonly number[] {
  const outOf = (hints: readonly number[]) => split((token) => hints.includes(token)).amountOut
  let [best, bestOut] = [chosen, outOf(chosen)]
  for (const token of ranked.filter((other) => !chosen.includes(other)).slice(0, maxExchanged)) {
    const tried = [...best.slice(0, maxHints - 1), token]
    const out = outOf(tried)
    if (out > bestOut) [best, bestOut] = [tried, out]
  }
  return best
}

/** Hints that a split uses, the most used first; those of the best single path before all others. */
function usedIn({ bestPath, passed }: Split, isHint: (token: number) => boolean): number[] {
  const used = passed
    .map((part, token) => ({ part, token }))
    .filter(({ part, token }) => part > 0 && isHint(token))
    .sort((a, b) => b.part - a.part)
    .map(({ token }) => token)
  return [...new Set([...bestPath.filter(isHint), ...used])]
}

/** Tokens beside the two of the trade, those with the deepest pools on each side and on both. */
function middleTokens(map: DepthMap, { isBanned, tokenIn, tokenOut }: Trade): Iterable<Address> {
  const [after, before] = [depthsBeside(map, tokenIn), depthsBeside(map, tokenOut)]
  const whole = { after: sumOf(after), before: sumOf(before) }
  const both = new Map(
    [...after].flatMap(([token, depth]) => {
      const other = before.get(token)
      return other === undefined
        ? []
        : [[token, Math.min(depth / whole.after, other / whole.before)] as const]
    }),
  )
  const found = new Set([...deepest(both), ...deepest(after), ...deepest(before)])
  for (const token of found) if (isBanned?.(token)) found.delete(token)
  return found
}

/** How much of `token` lies in its pools with each other token: the price of a pool costs nothing to make up. */
function depthsBeside(map: DepthMap, token: Address): ReadonlyMap<Address, number> {
  const depths = new Map<Address, number>()
  for (const [other, edges] of map.from(token))
    depths.set(
      other,
      edges.reduce((sum, edge) => sum + sidesOf(edge).held, 0),
    )
  return depths
}

function deepest(depths: ReadonlyMap<Address, number>): Address[] {
  return [...depths]
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxNeighbours)
    .map(([token]) => token)
}

function sumOf(depths: ReadonlyMap<Address, number>): number {
  return [...depths.values()].reduce((sum, depth) => sum + depth, 0)
}

function lower(token: Address): Address {
  return token.toLowerCase() as Address
}
