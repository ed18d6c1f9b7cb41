import { Venues } from '@sluice/domain'
import type { Address, Hex } from 'viem'
import type { ChainState } from '../ChainState.js'
import { type PinnedResult, readPinned } from '../quotes/readPinned.js'
import { createFlights } from '../support/Flights.js'

/** The venues of a chain's Hub, kept for a minute. */
export type ChainVenues = {
  /** Venues as last read, from memory alone; `undefined` before the first read. */
  readonly known: () => Venues.Venues | undefined
  /** Tokens that routes may pass through, read with the venues; from memory alone. */
  readonly connectors: () => readonly Address[] | undefined
  /** Reads them if the last reading is older than a minute. `undefined` if no node answers and none were read before. */
  readonly read: () => Promise<Venues.Venues | undefined>
  /** The first reading while it is under way, at most 2.5 s; otherwise `undefined`. */
  readonly firstReading: () => Promise<void> | undefined
  /** Reads them now and then every minute. */
  readonly start: () => void
  readonly stop: () => void
}

/** The owner adds a venue two days after announcing it, and can remove one at once. */
const freshMs = 60_000
/** Time after which a failed reading is repeated. */
const failedFreshMs = 10_000
const budgetMs = 2_500

export function createVenues(
  state: ChainState,
  options: Pick<readPinned.Options, 'now' | 'onFailure'>,
): ChainVenues {
  const flights = createFlights<void>()
  let venues: Venues.Venues | undefined
  let connectors: readonly Address[] | undefined
  let freshUntil = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let firstReading: Promise<void> | undefined

  async function ask(signal: AbortSignal): Promise<void> {
    const { hub } = state.chain.contracts
    const brought = state.chain.stateOverride?.[hub]
    const override = brought && { [hub]: brought }
    const calls = Venues.calls.map((data) => ({ to: hub, data, override }))
    const read = await readPinned(state, calls, {
      ...options,
      signal,
      budgetMs,
      needsOverrides: override !== undefined,
    })
    const results = read.ok ? read.results.map(dataOf) : []
    const found = Venues.decode(results)
    venues = found ?? venues
    connectors = Venues.decodeConnectors(results[2]) ?? connectors
    freshUntil = performance.now() + (found ? freshMs : failedFreshMs)
  }

  async function read(): Promise<Venues.Venues | undefined> {
    if (performance.now() >= freshUntil) await flights.join('venues', { start: ask })
    return venues
  }

  async function follow(): Promise<void> {
    await read()
    const pauseMs = Math.max(0, freshUntil - performance.now())
    if (!isStopped) timer = setTimeout(follow, pauseMs).unref()
  }

  return {
    known: () => venues,
    connectors: () => connectors,
    read,
    firstReading: () => firstReading,
    start() {
      firstReading = follow().finally(() => {
        firstReading = undefined
      })
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

function dataOf(result: PinnedResult): Hex | undefined {
  return result.ok ? result.data : undefined
}
