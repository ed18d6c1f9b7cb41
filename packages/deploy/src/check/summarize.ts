import { type Attempted, errorBps, type Verdict } from './Comparison.js'

/** What a comparison says of one venue. */
export type VenueSummary = {
  readonly venue: string
  readonly pools: number
  /** Swaps by verdict. */
  readonly swaps: Readonly<Record<Verdict, number>>
  /** Share of the quoted swaps that agree to the wei, from 0 to 1; `null` if none was quoted. */
  readonly agrees: number | null
  /** Largest difference, in basis points of the computed output. 10,000 if a quoted swap failed. */
  readonly worstBps: number
  /** Median and largest difference between estimated and used gas, in percent of the used gas. */
  readonly gas: { readonly medianPercent: number; readonly worstPercent: number } | null
}

/** Sums up the attempts of each venue, in the order of their first attempt. */
export function summarize(attempts: readonly Attempted[]): readonly VenueSummary[] {
  const venues = [...new Set(attempts.map(({ venue }) => venue))]
  return venues.map((venue) =>
    summaryOf(
      venue,
      attempts.filter((each) => each.venue === venue),
    ),
  )
}

function summaryOf(venue: string, own: readonly Attempted[]): VenueSummary {
  const count = (verdict: Verdict) => own.filter((each) => each.verdict === verdict).length
  const swaps = {
    same: count('same'),
    differs: count('differs'),
    refused: count('refused'),
    unquoted: count('unquoted'),
  }
  const quoted = swaps.same + swaps.differs + swaps.refused
  const errors = own.map((each) =>
    each.verdict === 'refused'
      ? 10_000
      : each.verdict === 'unquoted'
        ? 0
        : Math.abs(errorBps(each)),
  )
  const gas = own
    .filter(({ verdict }) => verdict === 'same' || verdict === 'differs')
    .map((each) => Number(((each.expectedGas - each.gas) * 1_000n) / each.gas) / 10)
    .sort((a, b) => a - b)
  return {
    venue,
    pools: new Set(
      own.map(({ key, pool, tokenIn, tokenOut }) => [pool, key, [tokenIn, tokenOut].sort()].join()),
    ).size,
    swaps,
    agrees: quoted === 0 ? null : swaps.same / quoted,
    worstBps: errors.length === 0 ? 0 : Math.max(...errors),
    gas:
      gas.length === 0
        ? null
        : {
            medianPercent: gas[Math.floor(gas.length / 2)]!,
            worstPercent: Math.abs(gas[0]!) > Math.abs(gas.at(-1)!) ? gas[0]! : gas.at(-1)!,
          },
  }
}
