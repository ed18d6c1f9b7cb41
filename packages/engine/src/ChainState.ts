import { Lru, type Registry } from '@sluice/domain'
import {
  createHedging,
  type Hedging,
  rankUpstreams,
  Standing,
  soundUpstreams,
  type Upstream,
} from '@sluice/rpc'
import type { Address, Hex } from 'viem'
import type { Block, Head } from './heads/Head.js'
import { createHeads, type Heads } from './heads/Heads.js'
import type { PlanAnswers } from './quotes/PlanAnswer.js'
import { createPlanCache, type PlanCache } from './quotes/PlanCache.js'
import { createFlights, type Flights } from './support/Flights.js'
import type { Shared } from './support/Shared.js'

/** How old the latest block of a chain may be, in milliseconds; `undefined` sets no limit. */
export type MaxBlockAge = number | undefined

/** What the engine keeps about one chain. */
export type ChainState = {
  readonly chain: Registry.ServedChain
  readonly upstreams: readonly Upstream[]
  readonly maxBlockAgeMs: MaxBlockAge
  /** How long a header counts as the latest after it was asked for. */
  readonly headFreshMs: number
  /** Flights at a time; more are refused, since all would end too late. */
  readonly maxFlights: number
  readonly flights: Flights<PlanAnswers>
  readonly headFlights: Flights<boolean>
  readonly cache: PlanCache
  readonly hedging: Hedging
  readonly heads: Heads
  /** What other processes know if there are any. */
  readonly shared: Shared | undefined
  /** How tokens lay out their balances, as a place in `balanceSlots`; without one if none was found, until then. */
  readonly balanceLayouts: Lru.Lru<Address, { slot: number | undefined; until: number }>
  /** Latest head that counts as the chain's, and when it was asked for (monotonic milliseconds). */
  head: Head | undefined
  headAskedAt: number
  /** A block that a node does not have, though it counted as the latest, and since when that is known. */
  missed: { readonly hash: Hex; readonly at: number } | undefined
  /** The code of Router and Quoter was seen on a node. */
  isProbed: boolean
}

/** Tokens whose layouts are remembered: anybody can ask for a token that nobody knows. */
const maxLayouts = 4_096

export function createChainState(parameters: createChainState.Parameters): ChainState {
  return {
    ...parameters,
    flights: createFlights(),
    headFlights: createFlights(),
    cache: createPlanCache(),
    hedging: createHedging(),
    heads: createHeads(),
    balanceLayouts: Lru.create(maxLayouts),
    head: undefined,
    headAskedAt: Number.NEGATIVE_INFINITY,
    missed: undefined,
    isProbed: false,
  }
}

export declare namespace createChainState {
  type Parameters = Pick<
    ChainState,
    'chain' | 'upstreams' | 'maxBlockAgeMs' | 'headFreshMs' | 'maxFlights' | 'shared'
  >
}

/**
 * Whether two nodes can confirm each other's head: those in good standing, and those that are demoted, for slowness
 * say, but have answered the last time. One node alone may lie.
 */
export function isPlural({ heads, upstreams }: ChainState): boolean {
  if (upstreams.length < 2) return false
  const now = performance.now()
  const sound = soundUpstreams(upstreams, now)
  const others = rankUpstreams(upstreams, now).filter(({ label }) => heads.has(label))
  return new Set([...sound, ...others]).size > 1
}

/** Whether what one host says can be confirmed by another that is not known to be out of reach. */
export function hasManyHosts({ heads, upstreams }: ChainState): boolean {
  const inReach = rankUpstreams(upstreams, performance.now()).filter(
    ({ label, standing }) => !Standing.isDemoted(standing) || heads.has(label),
  )
  return new Set(inReach.map(({ host }) => host)).size > 1
}

/**
 * Takes note of a node's header; `askedAt` is the time before it was asked for, so its age is never understated. The
 * chain's head is what two nodes know, or the word of the only one.
 */
export function noteHead(state: ChainState, upstream: Upstream, head: Head, askedAt: number): void {
  state.heads.note(upstream.label, head, askedAt)
  settleHead(state, isPlural(state) ? 2 : 1)
}

/**
 * Makes the best head the chain's; waits for more than two if they are far from each other.
 *
 * @param supporters Least number of nodes that must know it.
 * @param since Whoever was asked before, and not since, has no vote (monotonic milliseconds).
 */
export function settleHead(state: ChainState, supporters: number, since?: number): void {
  const best = state.heads.best(since)
  if (best === undefined || best.supporters < supporters) return
  // One of the two may have fallen behind, and a third may be where the other one is.
  if (supporters > 1 && best.lead > travellingBlocks(state)) return
  if (best.askedAt < state.headAskedAt) return
  // Said before a node was seen to lack it, though it may arrive later: the chain may have left it meanwhile.
  if (best.head.hash === state.missed?.hash && best.askedAt < state.missed.at) return
  state.head = best.head
  state.headAskedAt = best.askedAt
}

/**
 * Whether those that answered are at odds, so that one more should be heard: they contradict each other, or one of them
 * has left the block that they have in common.
 */
export function isContested(state: ChainState, since: number): boolean {
  const best = state.heads.best(since)
  return best !== undefined && (best.isContested || best.lead > travellingBlocks(state))
}

/** Blocks by which honest nodes differ while a block travels, which takes a second. */
function travellingBlocks({ chain }: ChainState): bigint {
  return BigInt(Math.max(Math.floor(1_000 / chain.blockTimeMs), 1))
}

/** Whether the chain's nodes were seen to lack the opcodes of Cancun: whatever stops there says nothing of routes. */
export function lacksCancun({ upstreams }: ChainState): boolean {
  const isKnown = (hasCancun: boolean) => upstreams.some(({ can }) => can.hasCancun === hasCancun)
  return isKnown(false) && !isKnown(true)
}

/**
 * Forgets that the head is the latest, because something newer was seen, or a node lacks it.
 *
 * @param missed The block that is lacking: what was said of it before counts no more. A node that says so again and again
 * cannot hold the chain up, so the first time counts for as long as a head does.
 */
export function doubtHead(state: ChainState, missed?: Block): void {
  state.headAskedAt = Number.NEGATIVE_INFINITY
  if (missed?.hash === undefined) return
  const at = performance.now()
  const isKnown = state.missed?.hash === missed.hash && at - state.missed.at < state.headFreshMs
  if (!isKnown) state.missed = { hash: missed.hash, at }
}

/**
 * Whether the head was the latest a moment before a time, or is known to have been it since.
 *
 * @param asOf When the answer was asked for, so that a head does not grow old while this process is late (monotonic
 * milliseconds). @default now
 */
export function hasFreshHead(state: ChainState, asOf = performance.now()): boolean {
  return state.headAskedAt >= asOf - state.headFreshMs
}
