export type Random = {
  /** Next number in [0, 1). */
  next(): number
  /** Next number in [low, high). */
  between(low: number, high: number): number
}

/** Creates a generator that gives the same numbers for a seed on every machine (mulberry32, 32-bit integers only). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { next, between: (low, high) => low + (high - low) * next() }
}
