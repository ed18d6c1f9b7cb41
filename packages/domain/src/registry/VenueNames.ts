import * as Texts from '../values/Texts.js'

/** Names that are not written as their short names. */
const brands: Readonly<Record<string, string>> = {
  pancakeswap: 'PancakeSwap',
  sushiswap: 'SushiSwap',
}

/**
 * Display name of a venue, from the short name in the Hub.
 *
 * @example
 * VenueNames.of('uniswap-v3')
 * // 'Uniswap V3'
 */
export function of(id: string): string {
  const words = Texts.shownText(id).split('-').filter(Boolean)
  return words
    .map((word) => {
      if (/^v\d$/.test(word)) return word.toUpperCase()
      return brands[word] ?? word.charAt(0).toUpperCase() + word.slice(1)
    })
    .join(' ')
}

/**
 * Display name of a leg's pool: its venue, and its fee if it is known.
 *
 * @example
 * VenueNames.ofLeg({ venue: 2, venueName: 'uniswap-v3', feePips: 500 })
 * // 'Uniswap V3 0.05 %'
 */
export function ofLeg(leg: ofLeg.Leg): string {
  const name = leg.venueName === undefined ? `Venue ${leg.venue}` : of(leg.venueName)
  const pips = leg.feePips ?? 0
  return pips === 0 ? name : `${name} ${pips / 10_000} %`
}

export declare namespace ofLeg {
  type Leg = {
    readonly venue: number
    /** Short name in the Hub. */
    readonly venueName?: string | undefined
    /** Fee of the pool in pips; `null` if only the pool knows it. */
    readonly feePips?: number | null | undefined
  }
}
