import {
  type Budget,
  callBatch,
  createBudget,
  isNodesFault,
  rankUpstreams,
  Standing,
  type Upstream,
} from '@sluice/rpc'
import { type ChainState, hasFreshHead, isContested, noteHead, settleHead } from '../ChainState.js'
import { maxRequests } from '../support/maxRequests.js'
import { readHead } from './readHead.js'

/** Timeout of a header request, in milliseconds. A slower node has failed. */
const timeoutMs = 1_000
const maxNodes = 3

/**
 * Asks the chain's nodes for the latest header. Concurrent callers share one round.
 *
 * Ends when two nodes agree, when all have answered, or when the time for slow ones is over; then those that answered
 * decide. If none answers, the head keeps its age. If the budget leaves nodes unasked, a single answer decides nothing.
 *
 * @returns Whether enough nodes were asked to decide.
 */
export async function refreshHeads(
  state: ChainState,
  options: refreshHeads.Options,
): Promise<boolean> {
  const { asOf = performance.now(), signal } = options
  const join = () =>
    state.headFlights.join('head', {
      signal,
      start: (flightSignal) => {
        const { budget: whole = createBudget({ requests: maxRequests.quote }) } = options
        // At most two requests to each node, even if connections break.
        const budget = whole.part('heads', 2 * maxNodes)
        return readTwice(state, { ...options, budget, signal: flightSignal })
      },
    })
  const { isShared, result } = await join()
  // The shared round may have begun too long before this caller arrived.
  if (isShared && !hasFreshHead(state, asOf)) return (await join()).result
  return result
}

/**
 * Does the same within a time limit.
 *
 * @returns Whether the nodes were asked, within the time limit and the budget.
 */
export function refreshHeadsBy(
  state: ChainState,
  { endsAt, ...options }: refreshHeads.Options & { endsAt: number },
): Promise<boolean> {
  const { signal } = options
  const timeout = AbortSignal.timeout(Math.max(Math.ceil(endsAt - performance.now()), 0))
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  return refreshHeads(state, { ...options, signal: either }).catch(() => false)
}

export declare namespace refreshHeads {
  type Options = {
    /** Node requests are charged to this budget. @default a budget of its own */
    budget?: Budget | undefined
    /** Unix milliseconds. */
    now: () => number
    /** A head confirmed only before this time is too old (monotonic milliseconds). @default now */
    asOf?: number | undefined
    signal?: AbortSignal | undefined
  }
}

type ReadOptions = refreshHeads.Options & { budget: Budget }

/** Asks again if all nodes have answered and conflict: the chain may have moved meanwhile. */
async function readTwice(state: ChainState, options: ReadOptions): Promise<boolean> {
  const first = await readHeads(state, options, isContested)
  const last = first === 'at odds' ? await readHeads(state, options, () => false) : first
  return last !== 'unasked'
}

/**
 * @param isDoubtful Returns whether to reject the result although all nodes have answered.
 * @returns `unasked` if no two nodes agreed and the budget ran out before all were asked.
 */
function readHeads(
  state: ChainState,
  options: ReadOptions,
  isDoubtful: typeof isContested,
): Promise<'decided' | 'at odds' | 'unasked'> {
  // Demoted nodes have a vote: it decides if two others disagree, and nobody waits for it if they agree.
  const upstreams = rankUpstreams(state.upstreams, performance.now()).slice(0, maxNodes)
  const startedAt = performance.now()
  // A recent quote may have brought the header of a node that does not answer now.
  const since = startedAt - state.headFreshMs
  const silent = new Set(upstreams)
  let areAllAsked = true
  const isSilent = () => [...silent].some(({ standing }) => !Standing.isDemoted(standing))
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      if (!hasFreshHead(state, startedAt)) {
        if (!areAllAsked) return resolve('unasked')
        if (silent.size === 0 && isDoubtful(state, since)) return resolve('at odds')
        for (const { label } of silent) state.heads.forget(label, since)
        settleHead(state, 1, since)
      }
      resolve('decided')
    }
    // With three nodes, the last one can still produce an agreement, so it is worth waiting for; for a demoted one only
    // if the others conflict. With two nodes, the silent one is left out.
    const endUsually = () => {
      if (upstreams.length < 3 || !(isSilent() || isContested(state, since))) end()
      else timer = setTimeout(endLate, timeoutMs, end)
    }
    let timer = setTimeout(endLate, state.hedging.delayMs('header'), endUsually)
    for (const upstream of upstreams)
      readOne(state, upstream, options).then((isAsked) => {
        areAllAsked &&= isAsked
        silent.delete(upstream)
        if (silent.size === 0 || hasFreshHead(state, startedAt)) end()
      })
    if (upstreams.length === 0) end()
  })
}

/** Timers fire before pending I/O. If this process was blocked, the answers have arrived and are read first. */
function endLate(end: () => void) {
  setImmediate(end)
}

/** @returns Whether the node was asked: false if the budget ran out or the request was canceled. */
async function readOne(
  state: ChainState,
  upstream: Upstream,
  { budget, now, signal }: ReadOptions,
): Promise<boolean> {
  const askedAt = performance.now()
  const call = { method: 'eth_getBlockByNumber', params: ['latest', false] }
  const [outcome] = await callBatch(upstream, [call], { timeoutMs, signal, budget })
  const endedAt = performance.now()
  const head = readHead(state, outcome!, now())
  if ('failure' in head) {
    if (head.failure === 'cancelled') return false
    state.heads.forget(upstream.label, askedAt)
    if (isNodesFault(head.failure)) Standing.fail(upstream.standing, endedAt)
    return true
  }
  state.hedging.noteSuccess('header', endedAt - askedAt)
  noteHead(state, upstream, head, askedAt)
  return true
}
