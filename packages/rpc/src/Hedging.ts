/** When a second node is asked because the first is slower than usual, and how often that may happen. */
export type Hedging = {
  /**
   * Milliseconds after which a request counts as slow: the 95th percentile of the last 200 successes, within 50 and 500;
   * 150 until twenty are known.
   *
   * @param mode Sort of request whose times are comparable; few of them, because they are remembered.
   */
  delayMs: (mode: string) => number
  noteSuccess: (mode: string, tookMs: number) => void
  /** Adds a tenth of a hedge to the budget, for a request that is made anyway. */
  earn: () => void
  /** Takes a hedge out of the budget; false if it is used up. */
  spend: () => boolean
}

const coldMs = 150
const [minMs, maxMs] = [50, 500]
const sampleSize = 200
const minSamples = 20
/** Sorting the sample for every request would be felt; it moves slowly. */
const samplesPerSort = 10
const maxTokens = 20
const tokensPerRequest = 0.1

/** Starts with no times and the full budget of twenty hedges. */
export function createHedging(): Hedging {
  const samples = new Map<string, { times: number[]; count: number; delayMs: number }>()
  let tokens = maxTokens
  return {
    delayMs: (mode) => samples.get(mode)?.delayMs ?? coldMs,
    noteSuccess(mode, tookMs) {
      const sample = samples.get(mode) ?? { times: [], count: 0, delayMs: coldMs }
      samples.set(mode, sample)
      sample.times[sample.count++ % sampleSize] = tookMs
      if (sample.count < minSamples || sample.count % samplesPerSort !== 0) return
      const sorted = sample.times.toSorted((a, b) => a - b)
      const p95 = sorted[Math.floor(0.95 * (sorted.length - 1))]!
      sample.delayMs = Math.min(Math.max(p95, minMs), maxMs)
    },
    earn() {
      tokens = Math.min(tokens + tokensPerRequest, maxTokens)
    },
    spend() {
      if (tokens < 1) return false
      tokens--
      return true
    },
  }
}
