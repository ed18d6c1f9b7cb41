import { Lru } from '@sluice/domain'
import { createFlights, type Flights } from '../support/Flights.js'
import type { MarketPair } from './MarketPair.js'
import {
  MarketDataError,
  type MarketFailure,
  type MarketOptions,
  type MarketSource,
} from './MarketSource.js'

/** The pools that one source reported. */
export type MarketReport = {
  readonly source: string
  readonly pairs: readonly MarketPair[]
}

/** Failure report for the operator. Contains neither the source's URL nor its response. */
export type MarketFailureReport = { readonly source: string; readonly failure: MarketFailure }

/** All sources behind one interface. */
export type Market = {
  readonly pairsOf: (...asked: Parameters<MarketSource['pairsOf']>) => Promise<MarketReport>
  readonly search: (...asked: Parameters<MarketSource['search']>) => Promise<MarketReport>
}

/** How long a report is cached, in milliseconds. */
const keptMs = 30_000
const maxKept = 500
/** Maximum number of concurrent lookups: sources limit their callers' rates. */
const maxFlights = 32
/** Failures in a row after which a source is not asked for `restMs` milliseconds. */
const maxFailures = 3
const restMs = 10_000

/**
 * Asks the sources in order until one reports pools; an empty report is no proof that there are none. Identical lookups
 * share one flight and are cached for `keptMs`. Failures are not cached.
 *
 * @param options.now Monotonic milliseconds.
 */
export function createMarket(
  sources: readonly MarketSource[],
  options: { now: () => number; onFailure?: ((report: MarketFailureReport) => void) | undefined },
): Market {
  const { now } = options
  const asks = sources.map((source) => withRest(source, options))
  const flights: Flights<MarketReport> = createFlights()
  const kept = Lru.create<string, { report: MarketReport; until: number }>(maxKept)

  async function ask(
    key: string,
    { signal }: MarketOptions,
    work: (source: MarketSource, options: MarketOptions) => Promise<readonly MarketPair[]>,
  ): Promise<MarketReport> {
    const known = kept.get(key)
    if (known !== undefined && known.until > now()) return known.report
    if (!flights.has(key) && flights.count() >= maxFlights) throw new MarketDataError('busy')
    const { result } = await flights.join(key, {
      signal,
      async start(flightSignal) {
        let failure: MarketFailure = 'none'
        let empty: MarketReport | undefined
        for (const attempt of asks) {
          const outcome = await attempt((source) => work(source, { signal: flightSignal }))
          if (typeof outcome === 'string') failure = graver(failure, outcome)
          else if (outcome.pairs.length > 0) return keep(key, outcome)
          else empty ??= outcome
        }
        if (empty !== undefined) return keep(key, empty)
        throw new MarketDataError(failure)
      },
    })
    return result
  }

  function keep(key: string, report: MarketReport): MarketReport {
    kept.put(key, { report, until: now() + keptMs })
    return report
  }

  return {
    pairsOf: (chainId, token, given = {}) =>
      ask(`${chainId} ${token.toLowerCase()}`, given, (source, each) =>
        source.pairsOf(chainId, token, each),
      ),
    search: (chainId, symbol, given = {}) =>
      ask(`${chainId} symbol ${symbol.toUpperCase()}`, given, (source, each) =>
        source.search(chainId, symbol, each),
      ),
  }
}

/** Combines failures. A temporary one outweighs `unsupported`, so that callers learn that a retry may help. */
function graver(before: MarketFailure, next: MarketFailure): MarketFailure {
  return before === 'none' || next !== 'unsupported' ? next : before
}

/** Pauses a source after several failures in a row. */
function withRest(source: MarketSource, { now, onFailure }: Parameters<typeof createMarket>[1]) {
  let failures = 0
  let restsUntil = Number.NEGATIVE_INFINITY
  return async (
    work: (source: MarketSource) => Promise<readonly MarketPair[]>,
  ): Promise<MarketReport | MarketFailure> => {
    if (now() < restsUntil) return 'resting'
    try {
      const pairs = await work(source)
      failures = 0
      return { source: source.name, pairs }
    } catch (error) {
      if (!(error instanceof MarketDataError)) throw error
      const { failure } = error
      // Cancellation and a missing chain are not the source's fault.
      if (failure === 'cancelled' || failure === 'unsupported') return failure
      onFailure?.({ source: source.name, failure })
      failures++
      if (failures >= maxFailures) restsUntil = now() + restMs
      return failure
    }
  }
}
