/** What one trade has shown. */
export type Outcome = {
  /** Output against the optimum of the oracle over the same pools. */
  quality: number
  /** Stated upper bound against the output, in basis points above it. */
  gapBps: number
  /** The stated bound lies below the optimum. */
  violation: boolean
  /** The output lies below that of the best path with one pool for each hop. */
  belowPath: boolean
  gas: number
}

export type Figure = {
  bench: 'optimizer'
  figure: string
  value: number
  unit: string
  set: string
}

/** The figures of a set of trades. */
export function figuresOf(set: string, outcomes: readonly Outcome[]): Figure[] {
  const quality = outcomes.map((outcome) => outcome.quality)
  const gaps = outcomes.map((outcome) => outcome.gapBps)
  const gas = outcomes.map((outcome) => outcome.gas)
  const loss = quality.map((value) => Math.max(0, 1 - value) * 1e4)
  const count = (test: (outcome: Outcome) => boolean) => outcomes.filter(test).length
  const rows: [string, number, string][] = [
    ['trades', outcomes.length, 'count'],
    ['quality.median', quantile(quality, 0.5), 'ratio'],
    ['quality.p10', quantile(quality, 0.1), 'ratio'],
    ['quality.worst', quantile(quality, 0), 'ratio'],
    ['loss.mean', mean(loss), 'bps'],
    ['gap.median', quantile(gaps, 0.5), 'bps'],
    ['gap.p99', quantile(gaps, 0.99), 'bps'],
    ['gap.max', quantile(gaps, 1), 'bps'],
    ['gap.violations', count(({ violation }) => violation), 'count'],
    ['belowPath', count(({ belowPath }) => belowPath), 'count'],
    ['gas.mean', mean(gas), 'gas'],
    ['gas.p99', quantile(gas, 0.99), 'gas'],
    ['gas.max', quantile(gas, 1), 'gas'],
  ]
  return rows.map(([figure, value, unit]) => ({ bench: 'optimizer', figure, value, unit, set }))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Linear between the two nearest ranks. */
function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const rank = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]]
  if (low === undefined || high === undefined) return Number.NaN
  return low + (high - low) * (rank - Math.floor(rank))
}
