import type { RpcOutcome } from '@sluice/rpc'
import type { AskNode } from '../src/logs/AskNode.js'
import type { FakeBlock, FakeLogChain, RawLog } from './fakeLogChain.js'

/** Failures of a node, each with its probability. */
export type Rates = {
  /** Per request: one of its calls fails. */
  readonly fails?: number
  /** Per answer with logs: the last log is missing. */
  readonly truncates?: number
  readonly duplicates?: number
  readonly reorders?: number
  /** A log is marked as removed. */
  readonly removes?: number
  /** Per request, separately for headers and logs: answers from an abandoned branch. */
  readonly forks?: number
  /** The last blocks are missing. */
  readonly lags?: number
}

/** A node of the chain with failures. `stale` returns the blocks of an abandoned branch. */
export function faultyNode(
  chain: FakeLogChain,
  rates: Rates,
  random: () => number,
  stale: () => readonly FakeBlock[],
): AskNode {
  const happens = (rate = 0) => rate > 0 && random() < rate
  const blocksSeen = () => {
    if (happens(rates.forks)) return stale()
    if (happens(rates.lags)) return chain.blocks.slice(0, -1 - Math.floor(random() * 20))
    return chain.blocks
  }
  return async (calls) => {
    const seen = new Map(
      [...new Set(calls.map(({ method }) => method))].map((method) => [method, blocksSeen()]),
    )
    const failing = happens(rates.fails) ? Math.floor(random() * calls.length) : undefined
    return calls.map((call, place): RpcOutcome => {
      if (place === failing) return { ok: false, failure: place % 2 ? 'timeout' : 'bad_response' }
      const outcome = chain.answer(call, seen.get(call.method))
      if (!outcome.ok || !Array.isArray(outcome.result) || outcome.result.length === 0)
        return outcome
      return { ok: true, result: distort(outcome.result as RawLog[]) }
    })
  }

  function distort(logs: RawLog[]): RawLog[] {
    const place = Math.floor(random() * logs.length)
    if (happens(rates.truncates)) return logs.slice(0, place)
    if (happens(rates.duplicates)) return logs.toSpliced(place, 0, logs[place]!)
    if (happens(rates.reorders)) return logs.toReversed()
    if (happens(rates.removes)) return logs.with(place, { ...logs[place]!, removed: true })
    return logs
  }
}
