import { plural, tableOf } from '../tables.js'
import type { ComparedSwap } from './ComparedSwap.js'
import type { Cause } from './Judgment.js'
import type { Answer } from './quoteSwap.js'
import type { Reason } from './readSwap.js'
import { nameOfRouter } from './routers.js'
import type { HindsightReport } from './runHindsight.js'
import { differencesOf, type Spread } from './summarizeHindsight.js'

/** Losses that a report shows in full; the JSON file has all swaps. */
const maxShown = 10

const causes: Readonly<Record<Cause, string>> = {
  better_split: 'Sluice splits the input',
  better_path: 'Sluice takes another path',
  their_fee: 'only because others kept a part of the output',
  same: 'the same to the wei',
  our_fee: 'only by the fee of 28 bp',
  not_covered: 'it used a pool that the config does not reach',
  no_route: 'Sluice finds no route',
  truncated: 'a limit ended the search',
  worse_route: 'nothing explains it: look at these',
  price_moved: 'others moved the price within the block',
  taxed_token: 'a token taxes transfers',
  node_failed: 'the node did not answer',
}

const reasons: Readonly<Record<Reason, string>> = {
  own: 'Sluice itself made the swap',
  arbitrage: 'nobody paid, as in arbitrage',
  no_trader: 'no wallet paid one thing and received another',
  several_traders: 'a settlement of several traders',
  several_tokens: 'the trader paid or received several tokens',
  native_unclear: 'how much native coin the trader received is not known',
}

const outcomes = {
  win: 'win',
  equal: 'equal',
  loss: 'loss',
  not_comparable: 'not comparable',
} as const

/** Renders a look back for people. */
export function hindsightText(report: HindsightReport): string {
  const { chain, chainId, found, fromBlock, skipped, summary, swaps, toBlock } = report
  const { outcomes: counts } = summary
  const looked = swaps.length + skipped.length
  return [
    `${chain} (${chainId}), blocks ${fromBlock} to ${toBlock}`,
    '',
    `${plural(found, 'transaction')} found, ${looked} looked at, ${plural(swaps.length, 'swap')} of other routers`,
    ...skippedOf(skipped),
    ...(swaps.length === 0
      ? []
      : [
          '',
          'What Sluice would have paid one block before, against what was paid:',
          `  ${plural(counts.win, 'win')}, ${counts.equal} equal, ${counts.loss} lost, ${counts.not_comparable} not comparable`,
          '',
          ...tableOf([
            ['', 'MEDIAN', 'P10', 'P90'],
            spreadRow('after our fee', summary.netBps),
            spreadRow('before our fee', summary.grossBps),
            spreadRow('our bound', summary.boundBps),
          ]),
          '',
          ...tableOf([
            ['OUTCOME', 'CAUSE', 'SWAPS', 'MEDIAN', ''],
            ...summary.causes.map(({ cause, medianBps, outcome, swaps: count }) => [
              outcomes[outcome],
              cause,
              String(count),
              bps(medianBps),
              causes[cause],
            ]),
          ]),
          ...lossesOf(swaps),
        ]),
  ].join('\n')
}

function skippedOf(skipped: HindsightReport['skipped']): string[] {
  const counts = new Map<Reason, number>()
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts].map(
    ([reason, count]) => `  ${count} × not compared: ${reasons[reason]} (${reason})`,
  )
}

function spreadRow(name: string, spread: Spread | null): string[] {
  return [name, ...(['median', 'p10', 'p90'] as const).map((key) => bps(spread?.[key]))]
}

/** The largest first. Those by our fee alone are all alike. */
function lossesOf(swaps: readonly ComparedSwap[]): string[] {
  const lost = swaps
    .filter(({ cause, outcome }) => outcome === 'loss' && cause !== 'our_fee')
    .map((swap) => ({ swap, net: differencesOf(swap, 'before').netBps ?? -10_000 }))
    .sort((a, b) => a.net - b.net)
  if (lost.length === 0) return []
  const more = lost.length - maxShown
  return [
    '',
    'Largest losses, besides those by our fee:',
    ...lost.slice(0, maxShown).flatMap(({ swap }) => linesOf(swap)),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}

function linesOf(swap: ComparedSwap): string[] {
  const { after, amountIn, amountOut, before, blockNumber, cause, router, uncovered } = swap
  const bound = 'failed' in before || before.upperBound === null ? 'no' : before.upperBound
  const pools = uncovered.map(({ pool }) => pool).join(', ')
  return [
    `  ${swap.transaction} in block ${blockNumber} by ${nameOfRouter(router)}: ${bps(differencesOf(swap, 'before').netBps)}, ${cause}`,
    `    ${amountIn} of ${swap.tokenIn} for ${amountOut} of ${swap.tokenOut}`,
    `    Sluice before: ${paidOf(before)}; after: ${paidOf(after)}; bound ${bound}`,
    ...(pools ? [`    not covered: ${pools}`] : []),
  ]
}

function paidOf(answer: Answer): string {
  if ('failed' in answer) return answer.failed
  return answer.verdict === 'Executable'
    ? `${answer.netOut}, ${answer.grossOut} before the fee`
    : answer.verdict
}

function bps(difference: number | null | undefined): string {
  if (difference === null || difference === undefined) return '–'
  return `${difference > 0 ? '+' : ''}${difference} bp`
}
