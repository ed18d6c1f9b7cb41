/** Random numbers from a seed, the same on every machine (mulberry32). */
export type Random = {
  /** A number in [0, 1). */
  next: () => number
  /** An integer below `limit`. */
  below: (limit: number) => number
  pick: <value>(values: readonly value[]) => value
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, pick: (values) => values[below(values.length)]! }
}
