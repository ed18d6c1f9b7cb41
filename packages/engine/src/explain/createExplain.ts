import { PlanCall, type QuoteRequest } from '@sluice/domain'
import type { ChainState } from '../ChainState.js'
import type { Block } from '../heads/Head.js'
import type { NodeTimes } from '../quotes/getQuotes.js'
import type { readPinned } from '../quotes/readPinned.js'
import { createFlights } from '../support/Flights.js'
import type { ChainVenues } from '../venues/createVenues.js'
import type { Explanation } from './Explanation.js'
import { explainQuote } from './explainQuote.js'

/** Explains a quote, or why there is none. Never throws, except if it is aborted. */
export type Explain = (
  request: QuoteRequest.QuoteRequest,
  options?: {
    /** Block of the quote. @default the chain's head */
    block?: Block | undefined
    signal?: AbortSignal | undefined
    /** Identifies the caller, so that no caller can take all readings. */
    caller?: string | undefined
  },
) => Promise<Explanation>

/** Maximum number of concurrent explanations of one chain: each is several heavy calls. */
const maxReadings = 8

/**
 * Creates `explain`: identical concurrent explanations share one reading, unless they are on a state of the caller's. Nothing is
 * kept.
 */
export function createExplain(
  states: ReadonlyMap<number, ChainState>,
  venues: ReadonlyMap<number, Pick<ChainVenues, 'known'>>,
  {
    nodeTimes,
    now,
    onFailure,
  }: Pick<readPinned.Options, 'now' | 'onFailure'> & { nodeTimes?: NodeTimes | undefined },
): Explain {
  const flights = new Map([...states.keys()].map((id) => [id, createFlights<Explanation>()]))
  let lastAlone = 0
  return async (request, { block, caller, signal } = {}) => {
    const { chainId } = request.chain
    const chain = flights.get(chainId)!
    const data = PlanCall.encode({ ...PlanCall.questionOf(request), isExact: false })
    const alone = request.overrides === undefined ? '' : ++lastAlone
    const key = `${alone} ${block?.hash} ${block?.number} ${request.chain.version} ${data}`
    if (!chain.has(key) && !chain.hasRoom(caller ?? '', maxReadings))
      return { looked: [], unknown: ['Too many explanations are being read. Retry in a second.'] }
    const { result } = await chain.join(key, {
      signal,
      owner: caller,
      start: (flightSignal) =>
        explainQuote(states.get(chainId)!, request, {
          ...{ now, onFailure, block },
          totalMs: nodeTimes?.preview,
          venues: venues.get(chainId)?.known(),
          signal: flightSignal,
        }),
    })
    return result
  }
}
