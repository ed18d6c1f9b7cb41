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

/** A header is a small read: a node that takes longer has failed. */
const timeoutMs = 1_000
const maxNodes = 3

/**
 * Asks the chain's nodes for the latest header, once for all who wait.
 *
 * Ends as soon as two agree, when all have answered, or when those that can be waited for had their time: then whoever
 * answered decides. Does nothing if none does: the head then stays as old as it is. Nobody decides alone because the budget
 * leaves the others unasked.
 *
 * @returns Whether the nodes were asked as far as it takes.
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
        // Every node twice, and no more if connections break.
        const budget = whole.part('heads', 2 * maxNodes)
        return readTwice(state, { ...options, budget, signal: flightSignal })
      },
    })
  const { isShared, result } = await join()
  // The nodes may have been asked too long before this caller came.
  if (isShared && !hasFreshHead(state, asOf)) return (await join()).result
  return result
}

/**
 * The same within a time.
 *
 * @returns Whether the nodes have answered, or had their time, before it is over and within the budget.
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
    /** What is sent is taken from it. @default one of its own */
    budget?: Budget | undefined
    /** Unix milliseconds. */
    now: () => number
    /** What was the latest before that is not enough (monotonic milliseconds). @default now */
    asOf?: number | undefined
    signal?: AbortSignal | undefined
  }
}

type ReadOptions = refreshHeads.Options & { budget: Budget }

/** Asks once more if all have answered and are at odds: the chain may have moved while they were asked. */
async function readTwice(state: ChainState, options: ReadOptions): Promise<boolean> {
  const first = await readHeads(state, options, isContested)
  const last = first === 'at odds' ? await readHeads(state, options, () => false) : first
  return last !== 'unasked'
}

/**
 * @param isDoubtful Whether to settle on nothing although all have answered.
 * @returns Whether they decided; `unasked` if two did not agree and the budget was used up before all were asked.
 */
function readHeads(
  state: ChainState,
  options: ReadOptions,
  isDoubtful: typeof isContested,
): Promise<'decided' | 'at odds' | 'unasked'> {
  // Demoted nodes have a vote: where two others disagree it is decisive, and where they agree nobody waits for it.
  const upstreams = rankUpstreams(state.upstreams, performance.now()).slice(0, maxNodes)
  const startedAt = performance.now()
  // A quote may have just brought the header of a node that is silent now.
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
    // Of three nodes two can still agree, which is worth waiting for, even for one in bad standing if the others are
    // at odds; of two, the silent one is left out.
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

/** Timers come before what has arrived: if this process was late, and not the nodes, their answers are there. */
function endLate(end: () => void) {
  setImmediate(end)
}

/** @returns Whether the node was asked: false if the budget was used up, or nobody waits any more. */
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
