import { Solvency } from '@sluice/domain'
import type { ChainState } from '../ChainState.js'
import type { readPinned } from '../quotes/readPinned.js'
import { createFlights } from '../support/Flights.js'
import { readSolvency, unreadable } from './readSolvency.js'

/** A contract's state and its latest readings, newest first. */
export type SolvencyAnswer = {
  readonly state: Solvency.State
  readonly history: readonly Solvency.Reading[]
}

/** How long a reading is shared, in milliseconds, so that page views do not cause node requests. */
const freshMs = 5_000
/** How long a failure is shared, in milliseconds. */
const failedFreshMs = 1_500
const maxHistory = 12

type Known = { answer: SolvencyAnswer; until: number }

/**
 * Creates the reader of Staking contracts. All callers share one node read at a time, and its result for five seconds.
 */
export function createSolvency(options: createSolvency.Options) {
  const { now, onFailure, states } = options
  const known = new Map<string, Known>()
  const flights = createFlights<SolvencyAnswer>()

  async function ask(target: Solvency.Target, key: string, signal: AbortSignal) {
    const chain = states.get(target.chainId)
    const found =
      chain === undefined
        ? unreadable('not_served')
        : await readSolvency(chain, target, { now, onFailure, signal })
    const history = withReading(known.get(key)?.answer.history ?? [], found)
    const state = found.kind === 'unreadable' ? { ...found, last: history[0] } : found
    const validMs = found.kind === 'read' ? freshMs : failedFreshMs
    known.set(key, { answer: { state, history }, until: performance.now() + validMs })
    return { state, history }
  }

  /** Asks no node about a contract that is not deployed. */
  return async function read(target: Solvency.Target): Promise<SolvencyAnswer> {
    if (!Solvency.isDeployed(target)) return { state: { kind: 'not_deployed' }, history: [] }
    const key = `${target.chainId} ${target.staking.toLowerCase()}`
    const fresh = known.get(key)
    if (fresh !== undefined && performance.now() < fresh.until) return fresh.answer
    const { result } = await flights.join(key, { start: (signal) => ask(target, key, signal) })
    return result
  }
}

export declare namespace createSolvency {
  type Options = Pick<readPinned.Options, 'now' | 'onFailure'> & {
    states: ReadonlyMap<number, ChainState>
  }
}

/** Keeps one reading for each block. */
function withReading(
  history: readonly Solvency.Reading[],
  state: Solvency.State,
): readonly Solvency.Reading[] {
  if (state.kind !== 'read') return history
  const others = history.filter(({ block }) => block.hash !== state.reading.block.hash)
  return [state.reading, ...others].slice(0, maxHistory)
}
