/** A stream of numbers in [0, 1) that depends only on its seed (mulberry32). */
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

/** Returns a random item. */
export function pick<item>(random: Random, items: readonly item[]): item {
  return items[Math.floor(random() * items.length)]!
}

/** Returns a number between `low` and `high`, uniform in its logarithm. */
export function between(random: Random, low: number, high: number): number {
  return low * (high / low) ** random()
}
