/** Decides when to ask a second node because the first is slower than usual, and limits how often that happens. */
export type Hedging = {
  /**
   * Milliseconds after which a request is slow: the 95th percentile of the last 200 successful requests, limited to 50 to
   * 500; 150 before the twentieth.
   *
   * @param mode Kind of request with comparable times. Use few kinds, because each keeps its own sample.
   */
  delayMs: (mode: string) => number
  noteSuccess: (mode: string, tookMs: number) => void
  /** Adds a tenth of a hedge to the budget. Call it once per request. */
  earn: () => void
  /** Uses up one hedge of the budget; false if none is left. */
  spend: () => boolean
}

const coldMs = 150
const [minMs, maxMs] = [50, 500]
const sampleSize = 200
const minSamples = 20
/** The sample changes slowly, so sorting it for every request would waste time. */
const samplesPerSort = 10
const maxTokens = 20
const tokensPerRequest = 0.1

/** Creates a hedging state without response times, and with the full budget of twenty hedges. */
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
