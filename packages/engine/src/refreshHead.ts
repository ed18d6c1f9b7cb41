import { type ChainState, noteHead } from './ChainState.js'
import { parseHead } from './Head.js'
import { callBatch } from './rpc/callBatch.js'

/** A header is a small read: one that takes longer is no quicker than the quote itself. */
const timeoutMs = 400

/** Asks one node for the latest header. Does nothing where that fails: the head then stays as old as it is. */
export async function refreshHead(state: ChainState, signal?: AbortSignal): Promise<void> {
  await state.headFlights.join('head', {
    signal,
    start: async (flightSignal) => {
      const upstream = state.upstreams.find(({ isExcluded }) => !isExcluded)
      if (upstream === undefined) return
      const askedAt = performance.now()
      const call = { method: 'eth_getBlockByNumber', params: ['latest', false] }
      const [outcome] = await callBatch(upstream, [call], { timeoutMs, signal: flightSignal })
      const head = outcome?.ok ? parseHead(outcome.result) : undefined
      if (head !== undefined) noteHead(state, head, askedAt)
    },
  })
}
