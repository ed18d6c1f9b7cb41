import { type Figure, mean, quantile } from '../lib/figures.js'
import type { Outcome } from './measureTrade.js'

/** A quote above the optimum by more than this factor exceeds all rounding and cannot be correct. */
const ABOVE = 1 + 1e-6
const BPS = 10_000
/** From this size on, splits matter more than rounding. */
const LARGE_USD = 10_000

/** Returns the figures of a set of trades. */
export function figuresOf(set: string, outcomes: readonly Outcome[]): Figure[] {
  const of = (
    key: 'solver' | 'market' | 'gas' | 'plainGas' | 'netVsPath' | 'netVsGreedy50' | 'tight',
  ) => outcomes.map((outcome) => outcome[key])
  const gaps = outcomes.flatMap(({ gapBps }) => gapBps ?? [])
  const count = (test: (outcome: Outcome) => boolean) => outcomes.filter(test).length
  const large = outcomes.filter(({ usd }) => usd >= LARGE_USD)
  const worstBps = (ratios: readonly number[]) => (quantile(ratios, 0) - 1) * BPS
  const rows: [string, number, string][] = [
    ['trades', outcomes.length, 'count'],
    ['solver.median', quantile(of('solver'), 0.5), 'ratio'],
    ['solver.p10', quantile(of('solver'), 0.1), 'ratio'],
    ['solver.worst', quantile(of('solver'), 0), 'ratio'],
    ['market.median', quantile(of('market'), 0.5), 'ratio'],
    ['market.p10', quantile(of('market'), 0.1), 'ratio'],
    ['market.worst', quantile(of('market'), 0), 'ratio'],
    ['missing', count(({ missing }) => missing), 'count'],
    ['above', count(({ solver, market }) => solver > ABOVE || market > ABOVE), 'count'],
    ['loss10k.bps', mean(large.map(({ solver }) => Math.max(0, 1 - solver) * BPS)), 'bps'],
    ['gap.median', quantile(gaps, 0.5), 'bps'],
    ['gap.p99', quantile(gaps, 0.99), 'bps'],
    ['gap.none', outcomes.length - gaps.length, 'count'],
    ['gap.violations', count(({ violation }) => violation), 'count'],
    ['net.vsPath', worstBps(of('netVsPath')), 'bps'],
    ['net.vsGreedy50', worstBps(of('netVsGreedy50')), 'bps'],
    ['gas.mean', mean(of('gas')), 'gas'],
    ['gas.p95', quantile(of('gas'), 0.95), 'gas'],
    ['gas.p99', quantile(of('gas'), 0.99), 'gas'],
    ['gas.max', quantile(of('gas'), 1), 'gas'],
    ['gas.plain.mean', mean(of('plainGas')), 'gas'],
    ['gas.plain.p99', quantile(of('plainGas'), 0.99), 'gas'],
    ['tight.median', quantile(of('tight'), 0.5), 'ratio'],
    ['tight.p10', quantile(of('tight'), 0.1), 'ratio'],
    ['tight.worst', quantile(of('tight'), 0), 'ratio'],
    ['tight.missing', count(({ tightFailure }) => tightFailure === 'missing'), 'count'],
    ['tight.reverted', count(({ tightFailure }) => tightFailure === 'reverted'), 'count'],
  ]
  return rows.map(([figure, value, unit]) => ({ bench: 'quality', figure, value, unit, set }))
}
