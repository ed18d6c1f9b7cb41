import { Addresses, Lru } from '@sluice/domain'
import type { Address } from 'viem'
import type { ChainState } from '../ChainState.js'
import { QuoteError } from '../quotes/QuoteError.js'
import { createFlights } from '../support/Flights.js'
import type { QuoteMany } from '../symbols/priceKnownTokens.js'
import type { ChainTokens } from '../tokens/createTokens.js'
import type { PricedToken } from './PricedToken.js'
import { priceTokens } from './priceTokens.js'

/** Prices of one chain's tokens. */
export type ChainPrices = {
  /** Whether a price is in memory. */
  readonly isKept: (address: Address) => boolean
  /**
   * Prices in the order of the addresses. All that are not in memory are quoted together.
   *
   * @param addresses With their checksums.
   * @throws QuoteError if nothing could be read. This does not mean that a token has no price.
   */
  readonly get: (
    addresses: readonly Address[],
    options?: PriceOptions,
  ) => Promise<readonly PricedToken[]>
}

export type PriceOptions = {
  readonly signal?: AbortSignal | undefined
  /** Identifies the caller, so that no caller can take all flights of a chain. */
  readonly caller?: string | undefined
}

/** How long a price, and the lack of one, is kept, in milliseconds. */
const priceKeptMs = 15_000
const maxKept = 2_000
/** Maximum number of concurrent readings. */
const maxReadings = 8

export function createPrices(
  state: ChainState,
  sources: { quoteMany: QuoteMany; tokens: Pick<ChainTokens, 'read'> },
): ChainPrices {
  const kept = Lru.create<Address, { priced: PricedToken; until: number }>(maxKept)
  const flights = createFlights<readonly PricedToken[]>()
  const find = (address: Address) => {
    const found = kept.get(address)
    return found && performance.now() < found.until ? found.priced : undefined
  }
  return {
    isKept: (address) => Addresses.equal(address, state.chain.usdc) || find(address) !== undefined,
    async get(addresses, { caller, signal } = {}) {
      const distinct = [...new Set(addresses)]
      const found = new Map(distinct.map((address) => [address, find(address)]))
      const missing = distinct.filter((address) => found.get(address) === undefined)
      if (missing.length > 0) {
        const key = missing.join()
        if (!flights.has(key) && flights.count() >= maxReadings) throw tooMany
        const { result } = await flights.join(key, {
          signal,
          start: (flightSignal) =>
            priceTokens(state.chain, missing, { ...sources, signal: flightSignal, caller }),
        })
        for (const priced of result) {
          found.set(priced.address, priced)
          kept.put(priced.address, { priced, until: performance.now() + priceKeptMs })
        }
      }
      return addresses.map((address) => found.get(address)!)
    },
  }
}

/** Created once, because collecting a stack trace is expensive. */
const tooMany = new QuoteError(
  'overloaded',
  'Too many prices are being read on this chain. Retry in a second.',
  { rpcTried: 0 },
)
