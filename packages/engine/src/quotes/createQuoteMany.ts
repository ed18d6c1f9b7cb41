import type { QuoteRequest } from '@sluice/domain'
import type { Engine, EngineCallOptions, EngineConfig } from '../Engine.js'
import { countGas, priceGas } from '../gas/countGas.js'
import type { EngineChains } from '../openChains.js'
import { getHintedQuotes } from '../pools/getHintedQuotes.js'
import { checkSenders } from '../senders/checkSenders.js'
import { within } from '../support/within.js'
import { getQuotes, limitsOf, type QuoteAnswer, type Settled, type Wanted } from './getQuotes.js'

/** Creates `quoteMany`: prices gas, quotes with and without hints, and checks senders. */
export function createQuoteMany(
  { gases, hints, states, venues }: EngineChains,
  { nodeTimes, now, onAttempt, onFailure, onHedge }: EngineConfig,
): Engine['quoteMany'] {
  /** Quotes requests on one chain. */
  async function askChain(
    chainId: number,
    requests: readonly QuoteRequest.QuoteRequest[],
    { budget, ...rest }: EngineCallOptions,
  ): Promise<readonly Settled<QuoteAnswer>[]> {
    const state = states.get(chainId)!
    const gas = gases.get(chainId)!
    const limits = { ...limitsOf(requests, nodeTimes), ...(budget && { budget }) }
    const priced = await priceGas(requests, gas.prices, limits.budget)
    const ask = (wanted: readonly Wanted[]) =>
      getQuotes(state, wanted, { ...rest, limits, now, onAttempt, onFailure, onHedge })
    const hinted = { hints: hints.get(chainId), limits }
    const answers = await getHintedQuotes(countGas(ask, gas.rates), priced, hinted)
    const checked = await checkSenders(state, answers, {
      ...rest,
      ...limits,
      now,
      onFailure,
      onHedge,
    })
    // Responses name the venues of a route, also those to the first callers.
    const reading = venues.get(chainId)?.firstReading()
    if (reading && checked.some(({ ok }) => ok))
      await within(Math.max(0, limits.endsAt - performance.now()), reading)
    return checked
  }

  return async (requests, options = {}) => {
    const results: Settled<QuoteAnswer>[] = []
    const chainIds = new Set(requests.map(({ chain }) => chain.chainId))
    await Promise.all(
      [...chainIds].map(async (chainId) => {
        const places = [...requests.keys()].filter(
          (place) => requests[place]!.chain.chainId === chainId,
        )
        const ours = places.map((place) => requests[place]!)
        const answers = await askChain(chainId, ours, options)
        for (const [index, answer] of answers.entries()) results[places[index]!] = answer
      }),
    )
    return results
  }
}
