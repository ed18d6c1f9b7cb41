import type { Address } from 'viem'
import { type DepthMap, type Edge, sidesOf } from './DepthMap.js'

/** The parts that a trade is split into. The last ones are small enough for shallow pools. */
const parts = [
  { count: 24, part: 1 / 32 },
  { count: 8, part: 1 / 64 },
  { count: 8, part: 1 / 128 },
  { count: 16, part: 1 / 256 },
].flatMap(({ count, part }) => Array.from({ length: count }, () => part))

/** The tokens of a trade, numbered, with the pools between them. The first token is sold, the last is bought. */
export type Network = {
  readonly tokens: readonly Address[]
  /** Pools by the numbers of their tokens: from, then to. */
  readonly pools: readonly (readonly { readonly to: number; readonly edges: readonly Edge[] }[])[]
}

export type Split = {
  readonly amountOut: number
  /** Share of the output that passes each token, by its number. */
  readonly passed: readonly number[]
  /** Intermediate tokens, by number, of the best path for the whole input. */
  readonly bestPath: readonly number[]
  /**
   * Tokens, by number, through which a small further amount would trade about as well as on the best path, best first.
   * Finds shallow pools, for which the parts are too large.
   */
  readonly alike: readonly number[]
}

/** Returns the pools between these tokens, in the directions that lead from the first to the last. */
export function networkOf(map: DepthMap, tokens: readonly Address[]): Network {
  const last = tokens.length - 1
  const numbers = new Map(tokens.map((token, number) => [token, number]))
  const pools = tokens.map((token, from) => {
    if (from === last) return []
    const others = map.from(token)
    // Iterate over the shorter list.
    const found =
      others.size < tokens.length
        ? [...others].map(([other, edges]) => ({ to: numbers.get(other) ?? 0, edges }))
        : tokens.map((other, to) => ({ to, edges: others.get(other) ?? [] }))
    return found.filter(({ edges, to }) => to !== 0 && edges.length > 0)
  })
  return { tokens, pools }
}

type Pool = ReturnType<typeof sidesOf> & { readonly afterFee: number; back?: Pool }

/**
 * Splits a trade over paths of at most three swaps. Sends one part after the other along the path that is best after
 * the earlier parts.
 *
 * @param isAllowed Whether a token, by number, may be an intermediate one.
 */
export function splitRoughly(
  network: Network,
  amountIn: number,
  isAllowed: (token: number) => boolean,
): Split {
  const last = network.tokens.length - 1
  const pools = copyOf(network, (token) => token === 0 || token === last || isAllowed(token))
  const passed = network.tokens.map(() => 0)
  let amountOut = 0
  const whole = bestPath(pools, last, amountIn)
  for (const part of parts) {
    let held = part * amountIn
    const path = bestPath(pools, last, held)
    if (path === undefined) break
    for (const { pool, to } of path.hops) {
      held = trade(pool, held)
      if (to !== last) passed[to]! += path.out
    }
    amountOut += path.out
  }
  const bestTokens = whole?.hops.slice(0, -1).map(({ to }) => to) ?? []
  return {
    amountOut,
    passed: passed.map((out) => (amountOut > 0 ? out / amountOut : 0)),
    bestPath: bestTokens,
    alike: alikeAfter(pools, last, smallPart * amountIn),
  }
}

/** A part so small that it moves no relevant pool. */
const smallPart = 1 / 8_192
/** How much worse than the best path a path may be to count as alike. */
const tolerance = 1e-3

function alikeAfter(
  ways: readonly (readonly Way[])[],
  last: number,
  amountIn: number,
): readonly number[] {
  const first = without(reach(ways, start(amountIn)), last)
  const second = without(reach(ways, first), last)
  const outThrough = (token: number) => {
    const [early, late] = [first.get(token), second.get(token)]
    const passed = reach(ways, early ? new Map([[token, early]]) : new Map())
    return Math.max(
      passed.get(last)?.out ?? 0,
      reach(ways, without(passed, last)).get(last)?.out ?? 0,
      late ? (reach(ways, new Map([[token, late]])).get(last)?.out ?? 0) : 0,
    )
  }
  const least = (1 - tolerance) * (bestPath(ways, last, amountIn)?.out ?? 0)
  return ways
    .map((_, token) => ({ token, out: outThrough(token) }))
    .filter(({ out }) => out > 0 && out >= least)
    .sort((a, b) => b.out - a.out)
    .map(({ token }) => token)
}

function start(amountIn: number): ReadonlyMap<number, Path> {
  return new Map([[0, { out: amountIn, hops: [] }]])
}

type Way = { readonly to: number; readonly pools: readonly Pool[] }
type Hop = { readonly pool: Pool; readonly to: number }
type Path = { readonly out: number; readonly hops: readonly Hop[] }

/** Copies the pools, so that trades can move them. Both directions of a pool are linked. */
function copyOf(network: Network, isIn: (token: number) => boolean): readonly (readonly Way[])[] {
  const copies = new Map<Edge['depth'], { forward: Pool; backward: Pool }>()
  const copy = (edge: Edge): Pool => {
    const known = copies.get(edge.depth)
    if (known) return edge.isForward ? known.forward : known.backward
    const { afterFee } = edge.depth
    const forward: Pool = { ...sidesOf({ ...edge, isForward: true }), afterFee }
    const backward: Pool = { ...sidesOf({ ...edge, isForward: false }), afterFee, back: forward }
    forward.back = backward
    copies.set(edge.depth, { forward, backward })
    return edge.isForward ? forward : backward
  }
  return network.pools.map((ways, from) =>
    isIn(from)
      ? ways
          .filter(({ to }) => isIn(to))
          .map(({ edges, to }) => ({ to, pools: edges.map((edge) => copy(edge)) }))
      : [],
  )
}

/** Returns the path of at most three swaps with the highest output; `undefined` if there is none. */
function bestPath(
  ways: readonly (readonly Way[])[],
  last: number,
  amountIn: number,
): Path | undefined {
  const first = reach(ways, start(amountIn))
  const second = reach(ways, without(first, last))
  const third = reach(ways, without(second, last))
  return [first, second, third]
    .flatMap((reached) => reached.get(last) ?? [])
    .reduce<Path | undefined>(
      (best, path) => (!best || path.out > best.out ? path : best),
      undefined,
    )
}

function without(reached: ReadonlyMap<number, Path>, token: number): ReadonlyMap<number, Path> {
  const rest = new Map(reached)
  rest.delete(token)
  return rest
}

/** Returns the best path to each token after one more swap. */
function reach(
  ways: readonly (readonly Way[])[],
  held: ReadonlyMap<number, Path>,
): ReadonlyMap<number, Path> {
  const reached = new Map<number, Path>()
  for (const [from, path] of held)
    for (const { pools, to } of ways[from]!)
      for (const pool of pools) {
        const out = outOf(pool, path.out)
        if (out > (reached.get(to)?.out ?? 0))
          reached.set(to, { out, hops: [...path.hops, { pool, to }] })
      }
  return reached
}

function outOf({ afterFee, most, reserveIn, reserveOut }: Pool, amountIn: number): number {
  const traded = amountIn * afterFee
  return Math.min((reserveOut * traded) / (reserveIn + traded), most)
}

/** Executes a swap on the copy of a pool and returns its output. */
function trade(pool: Pool, amountIn: number): number {
  const out = outOf(pool, amountIn)
  pool.reserveIn += amountIn
  pool.reserveOut -= out
  pool.most -= out
  const back = pool.back!
  ;[back.reserveIn, back.reserveOut] = [pool.reserveOut, pool.reserveIn]
  back.most += amountIn
  return out
}
