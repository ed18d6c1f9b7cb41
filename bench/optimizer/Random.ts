/** A stream of numbers in [0, 1) that is the same for the same seed (mulberry32). */
export type Random = () => number

export function from(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let word = Math.imul(state ^ (state >>> 15), state | 1)
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61)
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One of the items. */
export function pick<item>(random: Random, items: readonly item[]): item {
  return items[Math.floor(random() * items.length)]!
}

/** A number between the two whose logarithm is uniform. */
export function between(random: Random, low: number, high: number): number {
  return low * (high / low) ** random()
}
