import type { ComparedSwap } from './ComparedSwap.js'
import { type Cause, differenceBps, type Outcome } from './Judgment.js'

/** Quantiles of how much more Sluice pays, in basis points of what the other router paid. */
export type Spread = {
  readonly median: number
  readonly p10: number
  readonly p90: number
}

/** What a look back says in all. Differences are those of the block before; swaps without a quote have none. */
export type HindsightSummary = {
  readonly outcomes: Readonly<Record<Outcome, number>>
  /** The most frequent first. */
  readonly causes: readonly {
    readonly outcome: Outcome
    readonly cause: Cause
    readonly swaps: number
    /** Median difference after our fee; `null` if there is nothing to compare. */
    readonly medianBps: number | null
  }[]
  /** Swaps that have a difference. */
  readonly compared: number
  /** After our fee and before it, and of the bound; `null` if nothing has one. */
  readonly netBps: Spread | null
  readonly grossBps: Spread | null
  readonly boundBps: Spread | null
}

/** Differences of one swap. */
export type Differences = {
  readonly netBps: number | null
  readonly grossBps: number | null
  readonly boundBps: number | null
}

/** Sums up compared swaps. */
export function summarizeHindsight(swaps: readonly ComparedSwap[]): HindsightSummary {
  const count = (outcome: Outcome) => swaps.filter((swap) => swap.outcome === outcome).length
  const compared = swaps
    .filter(({ outcome }) => outcome !== 'not_comparable')
    .map((swap) => differencesOf(swap, 'before'))
  const spreadOf = (key: keyof Differences) => spread(compared.map((each) => each[key]))
  return {
    outcomes: {
      win: count('win'),
      equal: count('equal'),
      loss: count('loss'),
      not_comparable: count('not_comparable'),
    },
    causes: causesOf(swaps),
    compared: compared.filter(({ netBps }) => netBps !== null).length,
    netBps: spreadOf('netBps'),
    grossBps: spreadOf('grossBps'),
    boundBps: spreadOf('boundBps'),
  }
}

/** How much more than the other router Sluice would have paid, and the bound, at one of the two blocks. */
export function differencesOf(swap: ComparedSwap, at: 'before' | 'after'): Differences {
  const quote = swap[at]
  if ('failed' in quote || quote.verdict !== 'Executable')
    return { netBps: null, grossBps: null, boundBps: null }
  const { grossOut, netOut, upperBound } = quote
  return {
    netBps: differenceBps(netOut, swap.amountOut),
    grossBps: differenceBps(grossOut, swap.amountOut),
    boundBps: differenceBps(upperBound, swap.amountOut),
  }
}

function causesOf(swaps: readonly ComparedSwap[]): HindsightSummary['causes'] {
  const groups = new Map<string, ComparedSwap[]>()
  for (const swap of swaps) {
    const key = `${swap.outcome} ${swap.cause}`
    groups.set(key, [...(groups.get(key) ?? []), swap])
  }
  return [...groups.values()]
    .map((own) => ({
      outcome: own[0]!.outcome,
      cause: own[0]!.cause,
      swaps: own.length,
      medianBps: medianOf(own),
    }))
    .sort((a, b) => b.swaps - a.swaps)
}

/** What is not comparable has no difference. */
function medianOf(swaps: readonly ComparedSwap[]): number | null {
  const comparable = swaps.filter(({ outcome }) => outcome !== 'not_comparable')
  return spread(comparable.map((swap) => differencesOf(swap, 'before').netBps))?.median ?? null
}

/** The nearest rank: each figure is one of the differences. */
function spread(differences: readonly (number | null)[]): Spread | null {
  const sorted = differences.filter((each) => each !== null).sort((a, b) => a - b)
  if (sorted.length === 0) return null
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!
  return { median: at(0.5), p10: at(0.1), p90: at(0.9) }
}
