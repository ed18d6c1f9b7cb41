import { Lru } from '@sluice/domain'
import { createBudget } from '@sluice/rpc'
import type { Address } from 'viem'
import type { ChainState } from '../ChainState.js'
import type { LensOptions } from '../lens/askLens.js'
import type { Market } from '../market/createMarket.js'
import { MarketDataError } from '../market/MarketSource.js'
import { QuoteError } from '../quotes/QuoteError.js'
import { createFlights, type Flights } from '../support/Flights.js'
import { maxRequests } from '../support/maxRequests.js'
import { readXray } from './readXray.js'
import type { Xray } from './Xray.js'

/** A report, and how it came about. */
export type XrayAnswer = {
  readonly xray: Xray
  /** Nobody could be asked just now: this is the last report, as old as it says. */
  readonly isStale: boolean
  /** It was in memory: nobody was asked for it. */
  readonly isKept: boolean
}

export type Xrays = (
  token: Address,
  options?: { signal?: AbortSignal | undefined },
) => Promise<XrayAnswer>

/** How long a report is given again. */
export const xrayKeptMs = 60_000
const maxKept = 500
/** A report that is older than this is no better than none. */
const staleForMs = 3_600_000

/** Reports of one chain's tokens. Identical questions share one report, and get it again for a minute. */
export function createXrays(
  state: ChainState,
  options: { market: Market | undefined } & Pick<LensOptions, 'now' | 'onFailure'>,
): Xrays {
  const { market, now, onFailure } = options
  const flights: Flights<Xray> = createFlights()
  const kept = Lru.create<Address, Xray>(maxKept)
  return async (token, { signal } = {}) => {
    const before = kept.get(token)
    if (before !== undefined && now() - before.readAt < xrayKeptMs)
      return { xray: before, isStale: false, isKept: true }
    try {
      const { result } = await flights.join(token, {
        signal,
        async start(flightSignal) {
          if (market === undefined) throw new MarketDataError('none')
          const report = await market.pairsOf(state.chain.chainId, token, { signal: flightSignal })
          const asked = { now, onFailure, signal: flightSignal }
          const budget = createBudget({ requests: maxRequests.run })
          return await readXray(state, token, report, { ...asked, budget })
        },
      })
      kept.put(token, result)
      return { xray: result, isStale: false, isKept: false }
    } catch (error) {
      const isDown = error instanceof MarketDataError || error instanceof QuoteError
      if (isDown && before !== undefined && now() - before.readAt < staleForMs)
        return { xray: before, isStale: true, isKept: false }
      throw error
    }
  }
}
