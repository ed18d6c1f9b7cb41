import type { Registry } from '@sluice/domain'
import type { PlanAnswers } from './askPlans.js'
import { createFlights, type Flights } from './Flights.js'
import type { Head } from './Head.js'
import { createPlanCache, type PlanCache } from './PlanCache.js'
import type { Upstream } from './rpc/Upstream.js'

/** How old the latest block of a chain may be, in milliseconds; `undefined` sets no limit. */
export type MaxBlockAge = number | undefined

/** What the engine keeps about one chain. */
export type ChainState = {
  readonly chain: Registry.ServedChain
  readonly upstreams: readonly Upstream[]
  readonly maxBlockAgeMs: MaxBlockAge
  /** How long a header counts as the latest after it was asked for. */
  readonly headFreshMs: number
  readonly flights: Flights<PlanAnswers>
  readonly headFlights: Flights<void>
  readonly cache: PlanCache
  /** Latest header read, and when it was asked for (monotonic milliseconds). */
  head: Head | undefined
  headAskedAt: number
  /** The code of Router and Quoter was seen on a node. */
  isProbed: boolean
}

export function createChainState(parameters: createChainState.Parameters): ChainState {
  return {
    ...parameters,
    flights: createFlights(),
    headFlights: createFlights(),
    cache: createPlanCache(),
    head: undefined,
    headAskedAt: Number.NEGATIVE_INFINITY,
    isProbed: false,
  }
}

export declare namespace createChainState {
  type Parameters = Pick<ChainState, 'chain' | 'upstreams' | 'maxBlockAgeMs' | 'headFreshMs'>
}

/** Takes note of a header; `askedAt` is the time before it was asked for, so its age is never understated. */
export function noteHead(state: ChainState, head: Head, askedAt: number): void {
  if (askedAt < state.headAskedAt) return
  state.head = head
  state.headAskedAt = askedAt
}

/** Forgets that the head is the latest, because something newer was seen. */
export function doubtHead(state: ChainState): void {
  state.headAskedAt = Number.NEGATIVE_INFINITY
}
