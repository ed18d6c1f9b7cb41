import type { RpcOutcome } from '@sluice/rpc'
import type { AskNode } from '../src/logs/AskNode.js'
import type { FakeBlock, FakeLogChain, RawLog } from './fakeLogChain.js'

/** What a node does wrong, each with its own chance. */
export type Rates = {
  /** For each request: one of its calls fails. */
  readonly fails?: number
  /** For each answer with logs: leaves out the last of them. */
  readonly truncates?: number
  readonly duplicates?: number
  readonly reorders?: number
  /** Says that a log was taken back. */
  readonly removes?: number
  /** For each request, its headers and its logs apart: answers from a chain that is canonical no more. */
  readonly forks?: number
  /** As if the last blocks were not there. */
  readonly lags?: number
}

/** A node on the chain with faults. `stale` are blocks of a branch that was left. */
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
