import { Lru, type Tokens } from '@sluice/domain'
import { createBudget } from '@sluice/rpc'
import { createFlights, type Flights } from '../support/Flights.js'
import { maxRequests } from '../support/maxRequests.js'
import type { Purpose } from './chooseToken.js'
import { findToken, type Sources } from './findToken.js'
import { type Prices, priceKnownTokens, type QuoteMany } from './priceKnownTokens.js'

/** Looks up symbols on one chain. */
export type Symbols = {
  /** @throws MarketDataError or QuoteError if no source could be asked. */
  readonly lookUp: (
    symbol: string,
    options: { purpose: Purpose; signal?: AbortSignal | undefined },
  ) => Promise<Tokens.Resolved>
}

/** How long results are cached, in milliseconds: tokens with a measured depth, other results, and prices. */
const [keptMs, shortlyMs, pricesMs] = [300_000, 30_000, 60_000]
const maxKept = 2_000

/** Caches results; identical lookups share one search. */
export function createSymbols(options: Omit<Sources, 'prices'>): Symbols {
  const { now } = options
  const sources = { ...options, prices: keepPrices(options) }
  const flights: Flights<Tokens.Resolved> = createFlights()
  const kept = Lru.create<string, { answer: Tokens.Resolved; until: number }>(maxKept)
  return {
    async lookUp(symbol, { purpose, signal }) {
      const key = `${purpose} ${symbol.toUpperCase()}`
      const before = kept.get(key)
      if (before !== undefined && before.until > now()) return before.answer
      const { result } = await flights.join(key, {
        signal,
        start(flightSignal) {
          const whole = createBudget({ requests: maxRequests.search })
          // Each read has a budget with head reads of its own, since the chain moves on between reads.
          const budgetOfOne = () => createBudget({ requests: maxRequests.quote, of: whole })
          const quoteMany: QuoteMany = (requests, how) =>
            sources.quoteMany(requests, { ...how, budget: budgetOfOne() })
          const asking = { purpose, signal: flightSignal, budget: budgetOfOne() }
          return findToken({ ...sources, quoteMany }, symbol, asking)
        },
      })
      const isWhole = result.ok && result.token.resolved?.liquidityUsd !== null
      kept.put(key, { answer: result, until: now() + (isWhole ? keptMs : shortlyMs) })
      return result
    },
  }
}

/** Caches prices for all callers, so no caller can cancel the read. Failures are not cached. */
function keepPrices({ now, quoteMany, state }: Omit<Sources, 'prices'>): () => Promise<Prices> {
  let prices: { promise: Promise<Prices>; until: number } | undefined
  return () => {
    if (prices !== undefined && prices.until > now()) return prices.promise
    const fresh = { promise: priceKnownTokens(state.chain, quoteMany), until: now() + pricesMs }
    prices = fresh
    fresh.promise.catch(() => {
      if (prices === fresh) prices = undefined
    })
    return fresh.promise
  }
}
