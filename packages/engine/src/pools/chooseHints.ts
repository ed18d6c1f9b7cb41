import { type Address, getAddress } from 'viem'
import { type DepthMap, sidesOf } from './DepthMap.js'
import { networkOf, type Split, splitRoughly } from './splitRoughly.js'

/** Maximum number of hints in one call. */
export const maxHints = 4
/** Maximum number of neighbors considered for `tokenIn`, for `tokenOut`, and for both; those with the deepest pools. */
const maxNeighbours = 48
/** Number of hints kept after each round, until they fit into one call. */
const shrinking = [16, 10, 7, 5, maxHints] as const
/** Maximum number of dropped tokens that are tried in place of a chosen one. */
const maxExchanged = 6

export type Trade = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
  /** The chain's connector tokens, which need no hint. */
  readonly connectorTokens: readonly Address[]
  /** Tokens that no route may use. */
  readonly isBanned?: ((token: Address) => boolean) | undefined
}

/**
 * Chooses connector hints from the depths of pools, in packs that fit into one call: first the tokens that a split over
 * all tokens uses most, then those that it would use without the first.
 *
 * These are guesses: the caller tries the packs on the chain, beside a call without hints.
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

/** Splits a trade over the chain's connector tokens and the selected hints. */
type SplitOver = (isIn: (token: number) => boolean) => Split

/** Drops the least used hints until the rest fits into one call. Splits again after each round. */
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

/** Replaces the least used hint with a dropped one if that increases the output. */
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

/** Hints that a split uses: those of the best single path first, then by amount. */
function usedIn({ bestPath, passed }: Split, isHint: (token: number) => boolean): number[] {
  const used = passed
    .map((part, token) => ({ part, token }))
    .filter(({ part, token }) => part > 0 && isHint(token))
    .sort((a, b) => b.part - a.part)
    .map(({ token }) => token)
  return [...new Set([...bestPath.filter(isHint), ...used])]
}

/** Neighbors of the two tokens with the deepest pools: beside both, beside `tokenIn` and beside `tokenOut`. */
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

/**
 * Amount of `token` in its pools with each other token. Prices are not used: anybody can create a pool with a false
 * price.
 */
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
