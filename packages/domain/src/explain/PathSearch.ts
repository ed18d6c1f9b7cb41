import type { Market } from './Market.js'

/** A swap of all that a path has reached, on one pool. */
export type Swap = {
  /** Index of the pool in the market. */
  readonly pool: number
  /** Indexes of the tokens in play. */
  readonly from: number
  readonly to: number
  readonly amountIn: bigint
}

/** A swap with what the pool pays, by its own integer arithmetic; `undefined` if it could not be read. */
export type PricedSwap = Swap & {
  readonly amountOut: bigint | undefined
  readonly gas: bigint
}

/** The best path found to each token, by the token's index. */
export type Reached = ReadonlyMap<number, readonly PricedSwap[]>

/** Maximum number of swaps on a path: the routes of the Solver have as many. */
export const maxHops = 3

/** The start of a search: the input token is reached without a swap. */
export function start({ tokens }: Market): Reached {
  return new Map([[tokens.length - 2, []]])
}

/**
 * The swaps that make the paths one longer: all that a path has reached, on each pool that it does not use yet. The last
 * hop leads to the output token alone.
 *
 * @param reached Paths of `hop - 1` swaps.
 * @param hop From 1 to `maxHops`.
 */
export function swapsOf(
  { pools, tokens }: Market,
  reached: Reached,
  { amountIn, hop }: { amountIn: bigint; hop: number },
): readonly Swap[] {
  const [tokenIn, tokenOut] = [tokens.length - 2, tokens.length - 1]
  return [...reached].flatMap(([from, path]) => {
    const amount = path.length === 0 ? amountIn : path.at(-1)!.amountOut!
    const used = new Set(path.map(({ pool }) => pools[pool]!.first))
    return pools.flatMap(({ first, tokens: pair }, pool) => {
      const to = pair[0] === from ? pair[1] : pair[1] === from ? pair[0] : undefined
      if (to === undefined || to === tokenIn || used.has(first)) return []
      if (hop === maxHops && to !== tokenOut) return []
      return [{ pool, from, to, amountIn: amount }]
    })
  })
}

/** Extends the paths by priced swaps. Keeps the best to each token, and none that ends in the output token. */
export function reach({ tokens }: Market, reached: Reached, priced: readonly PricedSwap[]) {
  const next = new Map<number, readonly PricedSwap[]>()
  for (const swap of priced) {
    if (swap.to === tokens.length - 1 || !swap.amountOut) continue
    const best = next.get(swap.to)?.at(-1)?.amountOut ?? 0n
    if (swap.amountOut > best) next.set(swap.to, [...reached.get(swap.from)!, swap])
  }
  return next satisfies Reached
}

/** The path that pays most of the output token; `undefined` if none pays anything. */
export function bestPath(
  { tokens }: Market,
  reached: Reached,
  priced: readonly PricedSwap[],
): readonly PricedSwap[] | undefined {
  const last = largest(priced.filter(({ to }) => to === tokens.length - 1))
  return last && [...reached.get(last.from)!, last]
}

/** The path of the largest output. */
export function better(
  a: readonly PricedSwap[] | undefined,
  b: readonly PricedSwap[] | undefined,
): readonly PricedSwap[] | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return b.at(-1)!.amountOut! > a.at(-1)!.amountOut! ? b : a
}

function largest(swaps: readonly PricedSwap[]): PricedSwap | undefined {
  return swaps
    .filter(({ amountOut }) => amountOut)
    .reduce<PricedSwap | undefined>(
      (best, swap) => (best && best.amountOut! >= swap.amountOut! ? best : swap),
      undefined,
    )
}

/** What became of a pool that was asked for a price. */
export const verdicts = [
  /** Pays for all of the input. */
  'pays',
  /** The output rounds to zero: a larger input pays. */
  'rounds_to_zero',
  /** Cannot take all of the input: a smaller one pays. */
  'takes_less',
  /** Pays neither for the input nor for a smaller or larger one. */
  'pays_nothing',
  /** The price could not be read. */
  'unread',
] as const
export type Verdict = (typeof verdicts)[number]

/** Factor between an input and the smaller and larger ones that tell why a pool pays nothing. */
const probeShift = 20n
/** More than the reserve of any pool. */
const maxProbe = 2n ** 112n

/** A smaller and a larger input for a swap that pays nothing. */
export function probesOf({ amountIn }: Swap): readonly [smaller: bigint, larger: bigint] {
  const larger = amountIn << probeShift
  return [amountIn >> probeShift || 1n, larger > maxProbe ? maxProbe : larger]
}

/** @param probed What the smaller and the larger input pay; `undefined` if they could not be read. */
export function verdictOf(
  { amountOut }: PricedSwap,
  probed: readonly (bigint | undefined)[] = [],
): Verdict {
  if (amountOut === undefined) return 'unread'
  if (amountOut > 0n) return 'pays'
  const [smaller, larger] = probed
  if (smaller) return 'takes_less'
  if (larger) return 'rounds_to_zero'
  return smaller === undefined || larger === undefined ? 'unread' : 'pays_nothing'
}

/** The pool of a swap, with the addresses of its tokens. */
export function placeOf({ pools, tokens }: Market, { from, pool, to }: Swap) {
  const { address, key, venue } = pools[pool]!
  return { venue, pool: address, key, tokenIn: tokens[from]!, tokenOut: tokens[to]! }
}
