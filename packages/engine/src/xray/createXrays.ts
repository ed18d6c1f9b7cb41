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

/** A report and how it was obtained. */
export type XrayAnswer = {
  readonly xray: Xray
  /** Whether this is an earlier report, because sources or nodes failed now. */
  readonly isStale: boolean
  /** Whether the report came from the cache. */
  readonly isKept: boolean
}

export type Xrays = (
  token: Address,
  options?: { signal?: AbortSignal | undefined },
) => Promise<XrayAnswer>

/** How long a report is cached, in milliseconds. */
export const xrayKeptMs = 60_000
const maxKept = 500
/** Maximum age of a stale report, in milliseconds. */
const staleForMs = 3_600_000

/** Creates reports for one chain's tokens. Identical requests share one report, which is cached for a minute. */
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
