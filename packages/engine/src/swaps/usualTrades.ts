import type { Trade } from './SwapStore.js'

/** Number of latest swaps to consider. */
export const maxSwaps = 2_000
/** Maximum number of pairs returned. */
const maxPairs = 16

/** Returns the most frequent pairs, most frequent first, each with its median trade. */
export function usualTradesOf(swaps: readonly Trade[]): readonly Trade[] {
  const pairs = new Map<string, Trade[]>()
  for (const swap of swaps) {
    const key = `${swap.tokenIn} ${swap.tokenOut}`
    const same = pairs.get(key)
    if (same === undefined) pairs.set(key, [swap])
    else same.push(swap)
  }
  return [...pairs.values()]
    .sort((a, b) => b.length - a.length)
    .slice(0, maxPairs)
    .map(medianOf)
}

function medianOf(swaps: readonly Trade[]): Trade {
  const sorted = swaps.toSorted((a, b) => (a.amountIn < b.amountIn ? -1 : 1))
  return sorted[Math.floor(sorted.length / 2)]!
}
