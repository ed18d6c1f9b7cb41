import type { Quote } from '@sluice/sdk'
import { table } from './output.js'

type Explained = NonNullable<Quote['explain']>

/** Number of pools to print; `--json` has the others. */
const maxPools = 12

/** Formats for people what a quote or a refusal looked at. */
export function explanationText(
  explain: Pick<
    Explained,
    'call' | 'failed' | 'pools' | 'poolsFound' | 'truncated' | 'unknown' | 'venues'
  >,
): string {
  const { call, failed, pools = [], poolsFound, truncated, unknown, venues = [] } = explain
  const searched = venues.map(({ pools: count, venueName }) => `${venueName} ${count}`)
  const facts = [
    ...(poolsFound === undefined ? [] : [['Pools found', `${poolsFound}${truncated ? '+' : ''}`]]),
    ...(searched.length > 0 ? [['By venue', searched.join(', ')]] : []),
    ...(failed
      ? [['Failed', `${failed.code}: ${failed.legs.map(({ pool }) => pool).join(', ')}`]]
      : []),
    ...unknown.map((each) => ['Not known', each]),
    ...(call?.cast === undefined ? [] : [['Repeat with', call.cast]]),
  ]
  const rows = pools
    .slice(0, maxPools)
    .map(({ amountIn, amountOut, pool, venue, venueName, verdict }) => [
      `  ${venueName ?? `venue ${venue}`}`,
      pool,
      `${amountIn} → ${amountOut ?? 'unknown'}`,
      verdict,
    ])
  return ['Looked at', table(facts), table(rows)].join('\n')
}
