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

/** Maximum age of a chain's latest block, in milliseconds; `undefined` sets no limit. */
export type MaxBlockAge = number | undefined

/** The engine's state for one chain. */
export type ChainState = {
  readonly chain: Registry.ServedChain
  readonly upstreams: readonly Upstream[]
  readonly maxBlockAgeMs: MaxBlockAge
  /** How long a header counts as the latest, in milliseconds from the time when it was requested. */
  readonly headFreshMs: number
  /** Maximum number of concurrent flights. More are refused, since all of them would finish too late. */
  readonly maxFlights: number
  readonly flights: Flights<PlanAnswers>
  readonly headFlights: Flights<boolean>
  readonly cache: PlanCache
  readonly hedging: Hedging
  readonly heads: Heads
  /** State shared with other processes, if there are any. */
  readonly shared: Shared | undefined
  /**
   * Index into `balanceSlots` for each token. If no slot was found, `slot` is undefined and valid until `until`
   * (monotonic milliseconds).
   */
  readonly balanceLayouts: Lru.Lru<Address, { slot: number | undefined; until: number }>
  /** The head that quotes use, and when it was requested (monotonic milliseconds). */
  head: Head | undefined
  headAskedAt: number
  /** A block that counted as the latest but that a node does not have, and when this was noticed. */
  missed: { readonly hash: Hex; readonly at: number } | undefined
  /** Whether a node has returned code for the Router and the Quoter. */
  isProbed: boolean
}

/** Maximum number of tokens whose layout is kept: callers can name any token. */
const maxLayouts = 4_096

/** Returns the state of a chain of which nothing is known yet. */
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
 * Returns whether two nodes can confirm each other's head. A demoted node counts if it answered the last head request.
 * A single node could lie.
 */
export function isPlural({ heads, upstreams }: ChainState): boolean {
  if (upstreams.length < 2) return false
  const now = performance.now()
  const sound = soundUpstreams(upstreams, now)
  const others = rankUpstreams(upstreams, now).filter(({ label }) => heads.has(label))
  return new Set([...sound, ...others]).size > 1
}

/** Returns whether a second reachable host can confirm what one host says. */
export function hasManyHosts({ heads, upstreams }: ChainState): boolean {
  const inReach = rankUpstreams(upstreams, performance.now()).filter(
    ({ label, standing }) => !Standing.isDemoted(standing) || heads.has(label),
  )
  return new Set(inReach.map(({ host }) => host)).size > 1
}

/**
 * Records a node's header. `askedAt` is the time before the request, so that the age is never understated. The chain's
 * head is what two nodes know, or what the only node says.
 */
export function noteHead(state: ChainState, upstream: Upstream, head: Head, askedAt: number): void {
  state.heads.note(upstream.label, head, askedAt)
  settleHead(state, isPlural(state) ? 2 : 1)
}

/**
 * Makes the best head the chain's head. Does nothing if fewer than `supporters` nodes know it, or if their heads are
 * far apart.
 *
 * @param supporters Minimum number of nodes that must know the head.
 * @param since Ignores what nodes said to earlier requests (monotonic milliseconds).
 */
export function settleHead(state: ChainState, supporters: number, since?: number): void {
  const best = state.heads.best(since)
  if (best === undefined || best.supporters < supporters) return
  // One of the two nodes may have fallen behind. Wait for a third one.
  if (supporters > 1 && best.lead > travelingBlocks(state)) return
  if (best.askedAt < state.headAskedAt) return
  // Ignore confirmations that are older than the report that a node lacks this block: the chain may have dropped it
  // since.
  if (best.head.hash === state.missed?.hash && best.askedAt < state.missed.at) return
  state.head = best.head
  state.headAskedAt = best.askedAt
}

/**
 * Returns whether the answers conflict, so that one more node should be asked: they contradict each other, or one node
 * is too far beyond the common block.
 */
export function isContested(state: ChainState, since: number): boolean {
  const best = state.heads.best(since)
  return best !== undefined && (best.isContested || best.lead > travelingBlocks(state))
}

/** Number of blocks by which honest nodes can differ while a block spreads, which takes about a second. */
function travelingBlocks({ chain }: ChainState): bigint {
  return BigInt(Math.max(Math.floor(1_000 / chain.blockTimeMs), 1))
}

/**
 * Returns whether the nodes are known to lack the opcodes of Cancun. A call that halts there says nothing about routes.
 */
export function lacksCancun({ upstreams }: ChainState): boolean {
  const isKnown = (hasCancun: boolean) => upstreams.some(({ can }) => can.hasCancun === hasCancun)
  return isKnown(false) && !isKnown(true)
}

/**
 * Marks the head as no longer the latest, because a newer block was seen or a node lacks this one.
 *
 * @param missed The block that a node lacks. Earlier confirmations of it no longer count. Repeated reports within
 * `headFreshMs` keep the first time, so one node cannot hold the chain up.
 */
export function doubtHead(state: ChainState, missed?: Block): void {
  state.headAskedAt = Number.NEGATIVE_INFINITY
  if (missed?.hash === undefined) return
  const at = performance.now()
  const isKnown = state.missed?.hash === missed.hash && at - state.missed.at < state.headFreshMs
  if (!isKnown) state.missed = { hash: missed.hash, at }
}

/**
 * Returns whether the head was confirmed as the latest within `headFreshMs` before `asOf`, or after it.
 *
 * @param asOf When the request began, so that the head does not age while this process is blocked (monotonic
 * milliseconds). @default now
 */
export function hasFreshHead(state: ChainState, asOf = performance.now()): boolean {
  return state.headAskedAt >= asOf - state.headFreshMs
}
