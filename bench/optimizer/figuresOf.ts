import { type Figure, mean, quantile } from '../lib/figures.js'

/** Result of one trade. */
export type Outcome = {
  /** Output divided by the oracle's optimum over the same pools. */
  quality: number
  /** Distance of the stated upper bound from the output, in basis points. */
  gapBps: number
  /** Whether the stated bound is below the optimum. */
  violation: boolean
  /** Whether the output is below that of the best path with one pool per hop. */
  belowPath: boolean
  gas: number
}

/** Returns the figures of a set of trades. */
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
