import { type Attempted, errorBps } from './Comparison.js'
import type { CheckReport } from './runCheck.js'
import type { VenueSummary } from './summarize.js'
import { plural, tableOf } from './tables.js'

/** Swaps that a report shows in full; the JSON file has all of them. */
const maxShown = 10

/** Renders a report for people. */
export function reportText(report: CheckReport): string {
  const { config, skipped, unansweredPairs, venues } = report
  return [
    `${report.chain} (${report.chainId}) at block ${report.blockNumber}`,
    '',
    `Config: ${config.confirmed} facts confirmed, ${plural(config.faults.length, 'fault')}`,
    ...config.faults.map(({ at, code, message }) => `  ${code} ${at}: ${message}`),
    ...config.unchecked.map(({ at, why }) => `  not checked: ${at}: ${why}`),
    '',
    ...tableOf([
      ['VENUE', 'POOLS', 'SWAPS', 'TO THE WEI', 'WORST', 'NOT QUOTED', 'GAS ESTIMATE'],
      ...venues.map(rowOf),
    ]),
    ...wrongOf(report.attempts),
    ...skippedOf(skipped),
    ...(unansweredPairs > 0
      ? ['', `${plural(unansweredPairs, 'pair')} could not be looked at: the call failed.`]
      : []),
    '',
    verdictOf(report),
  ].join('\n')
}

function rowOf({ agrees, gas, pools, swaps, venue, worstBps }: VenueSummary): string[] {
  const quoted = swaps.same + swaps.differs + swaps.refused
  return [
    venue,
    String(pools),
    String(quoted),
    agrees === null ? '–' : `${(100 * agrees).toFixed(2)} %`,
    `${worstBps} bp`,
    String(swaps.unquoted),
    gas === null ? '–' : `median ${signed(gas.medianPercent)}, worst ${signed(gas.worstPercent)}`,
  ]
}

function wrongOf(attempts: readonly Attempted[]): string[] {
  const wrong = attempts.filter(({ verdict }) => verdict === 'differs' || verdict === 'refused')
  if (wrong.length === 0) return []
  const lines = wrong.slice(0, maxShown).map((each) => {
    const trade = `${each.amountIn} of ${each.tokenIn} on ${each.venue} ${each.pool}`
    return each.verdict === 'refused'
      ? `  ${trade}: quoted ${each.expectedOut}, but the swap reverts with ${each.failure.slice(0, 74)}`
      : `  ${trade}: quoted ${each.expectedOut}, paid ${each.amountOut} (${errorBps(each)} bp less)`
  })
  const more = wrong.length - lines.length
  return [
    '',
    `${plural(wrong.length, 'swap')} differ:`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}

function skippedOf(skipped: CheckReport['skipped']): string[] {
  if (skipped.length === 0) return []
  const whys = new Map<string, number>()
  for (const { venue, why } of skipped) {
    const line = `${venue}: ${why}`
    whys.set(line, (whys.get(line) ?? 0) + 1)
  }
  return ['', 'Skipped:', ...[...whys].map(([line, count]) => `  ${count} × ${line}`)]
}

function verdictOf({ attempts, config, isRight }: CheckReport): string {
  if (attempts.length === 0) return 'No swap could be compared.'
  if (isRight) return 'Sluice is right on this chain.'
  if (config.faults.length > 0) return 'The config is wrong on this chain. Mend it and check again.'
  return 'Sluice is wrong on this chain. Keep the JSON file: it holds what repeats each difference.'
}

function signed(percent: number): string {
  return `${percent > 0 ? '+' : ''}${percent} %`
}
