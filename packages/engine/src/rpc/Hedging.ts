/** Kinds of requests whose times are not comparable. */
export type Mode = 'header' | 'preview' | 'exact'

/** When a second node is asked because the first is slower than usual, and how often that may happen. */
export type Hedging = {
  /** Milliseconds after which a request counts as slow: the 95th percentile of the last successes, within limits. */
  delayMs: (mode: Mode) => number
  noteSuccess: (mode: Mode, tookMs: number) => void
  /** A request of its own gives a part of a hedge to the budget. */
  earn: () => void
  /** Takes a hedge out of the budget; false where it is used up. */
  spend: () => boolean
}

const coldMs = 150
const [leastMs, mostMs] = [50, 500]
const sampleSize = 200
const leastSamples = 20
/** Sorting the sample for every request would be felt; it moves slowly. */
const samplesPerSort = 10
const maxTokens = 20
const tokensPerRequest = 0.1

export function createHedging(): Hedging {
  const samples = new Map<Mode, { times: number[]; count: number; delayMs: number }>()
  let tokens = maxTokens
  return {
    delayMs: (mode) => samples.get(mode)?.delayMs ?? coldMs,
    noteSuccess(mode, tookMs) {
      const sample = samples.get(mode) ?? { times: [], count: 0, delayMs: coldMs }
      samples.set(mode, sample)
      sample.times[sample.count++ % sampleSize] = tookMs
      if (sample.count < leastSamples || sample.count % samplesPerSort !== 0) return
      const sorted = sample.times.toSorted((a, b) => a - b)
      const p95 = sorted[Math.floor(0.95 * (sorted.length - 1))]!
      sample.delayMs = Math.min(Math.max(p95, leastMs), mostMs)
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
