import type { ChainState } from '../ChainState.js'
import type { ChainProblem, EngineConfig } from '../Engine.js'
import { problemOf } from '../health.js'
import { probeChain, probeOutcasts } from './probeChain.js'

/** Probes the nodes of all chains at intervals. */
export type Probes = { readonly start: () => void; readonly stop: () => void }

/** Interval between probes of all nodes in milliseconds, after the contracts' code was seen. */
const probeIntervalMs = 300_000
/** The same before their code was seen. */
const unseenIntervalMs = 5_000
/**
 * Interval between probes of excluded and demoted nodes in milliseconds, so that their recovery is noticed without
 * traffic.
 */
const outcastIntervalMs = 2_500

/** Creates the probes; `start` runs them. */
export function createProbes(
  states: ReadonlyMap<number, ChainState>,
  { now, onProblem }: Pick<EngineConfig, 'now' | 'onProblem'>,
): Probes {
  const stopping = new AbortController()
  const timers = new Map<number, NodeJS.Timeout>()
  const problems = new Map<number, ChainProblem | undefined>()

  async function probe(state: ChainState, probedAt = Number.NEGATIVE_INFINITY): Promise<void> {
    const options = { now, signal: stopping.signal }
    const sinceMs = performance.now() - probedAt
    const isDue = sinceMs >= (state.isProbed ? probeIntervalMs : unseenIntervalMs)
    const startedAt = isDue ? performance.now() : probedAt
    await (isDue ? probeChain(state, options) : probeOutcasts(state, options))
    if (stopping.signal.aborted) return
    const { chainId } = state.chain
    const problem = problemOf(state)
    if (problem !== undefined && problems.get(chainId) !== problem)
      onProblem?.({ chainId, problem })
    problems.set(chainId, problem)
    const timer = setTimeout(() => probe(state, startedAt), outcastIntervalMs)
    timers.set(chainId, timer.unref())
  }

  return {
    start() {
      for (const state of states.values()) probe(state)
    },
    stop() {
      stopping.abort()
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
