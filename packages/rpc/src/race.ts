import { type Failure, isNodesFault } from './failures.js'
import type { Hedging } from './Hedging.js'
import * as Standing from './Standing.js'
import type { Upstream } from './Upstream.js'

/**
 * How often the chain's doing costs no other node its turn: it can leave a block, and move on once more while nodes are
 * asked. No more, for a node can pretend.
 */
const maxAskedAgain = 2
/** How often a hedge without budget looks again. */
const rearmMs = 25
/**
 * A node's time is waited for in so many steps, and one that takes longer counts no more: this process was late then,
 * and heard no node.
 */
const steps = 5

type Attempt = {
  readonly upstream: Upstream
  readonly controller: AbortController
  readonly startedAt: number
  /** Set where others could be asked: when the next one's turn comes. */
  turn?: NodeJS.Timeout
  /** Its share of the time is over. */
  isOverdue: boolean
}

/**
 * Asks one node after the other until an attempt settles the matter or none is left.
 *
 * A failure moves on to the next node at once. So does the end of a node's share of the time, which counts as one; but
 * it may still be the first to answer, since the others may be no faster. A node that is slower than usual gets a
 * competitor on another host, once and within the hedge budget, and whoever is first wins; leaving a node that was
 * demoted meanwhile is no hedge and costs no budget, or an outage of one node would use it up. The losers are given up.
 */
export function race(options: race.Options): Promise<race.Result> {
  const { endsAt, hedging, maxAttempts, mode, signal, slow } = options
  const queue = [...options.upstreams]
  const running = new Set<Attempt>()
  const progress = { tried: 0, askedAgain: 0, failure: 'connect' as Failure }
  let isHedged = false
  /** The attempt that may get a competitor. */
  let watched: Attempt | undefined
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  hedging.earn()
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      for (const { controller, turn } of running) {
        clearTimeout(turn)
        controller.abort()
      }
    }
    const finish = (result: race.Result) => {
      isOver = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      giveUp()
      resolve(result)
    }
    const attemptsLeft = () => maxAttempts - progress.tried + progress.askedAgain
    const canStart = () => attemptsLeft() > 0 && endsAt > performance.now() && !signal?.aborted

    function start(upstream: Upstream) {
      const startedAt = performance.now()
      const controller = new AbortController()
      const attempt: Attempt = { upstream, controller, startedAt, isOverdue: false }
      running.add(attempt)
      progress.tried++
      const timeoutMs = endsAt - startedAt
      if (queue.length > 0) {
        const shareMs = timeoutMs / (queue.length + 1)
        attempt.turn = setTimeout(look, shareMs, () => passTurn(attempt)).unref()
      }
      options
        .attempt(upstream, { timeoutMs, signal: attempt.controller.signal })
        .then((failed) => end(attempt, failed), reject)
      clearTimeout(timer)
      watched = attempt
      if (!isHedged && queue.length > 0) hedgeAfter(hedging.delayMs(mode), attempt)
    }

    function hedgeAfter(ms: number, attempt: Attempt, left = steps) {
      const step = () => {
        if (isOver || watched !== attempt) return
        if (left > 1) hedgeAfter(ms, attempt, left - 1)
        else hedge(attempt)
      }
      timer = setTimeout(look, ms / steps, step).unref()
    }

    function passTurn(attempt: Attempt) {
      if (isOver || !running.has(attempt) || queue.length === 0 || !canStart()) return
      attempt.isOverdue = true
      slow?.add(attempt.upstream.label)
      note(attempt, 'timeout', performance.now())
      start(queue.shift()!)
    }

    function note(attempt: Attempt, failed: Failure | undefined, now: number) {
      judge(attempt, failed, running, now)
      options.onAttempt?.(attempt.upstream, now - attempt.startedAt, failed)
      if (failed === undefined) return
      progress.failure = failed
      if (failed !== 'cancelled') options.onFailure?.(attempt.upstream, failed)
    }

    function end(attempt: Attempt, failed: Failure | undefined) {
      if (isOver) return
      const now = performance.now()
      running.delete(attempt)
      clearTimeout(attempt.turn)
      // The end of its share was noted already.
      if (failed === undefined || !attempt.isOverdue) note(attempt, failed, now)
      if (failed === undefined) {
        slow?.delete(attempt.upstream.label)
        for (const { startedAt, upstream } of running)
          if (startedAt < attempt.startedAt) slow?.add(upstream.label)
        hedging.noteSuccess(mode, now - attempt.startedAt)
        return finish({ tried: progress.tried, failure: undefined })
      }
      moveOn(attempt.upstream, failed)
    }

    function moveOn(upstream: Upstream, failed: Failure) {
      const isAlone = queue.length === 0 && running.size === 0
      const turn = options.asksAgain(failed)
      const isFree = progress.askedAgain < maxAskedAgain
      if (turn === 'next' || (turn === 'last' && isAlone)) queue.unshift(upstream)
      else if (turn === 'last' && isFree) queue.push(upstream)
      if (turn !== undefined && isFree) progress.askedAgain++
      const next = queue.shift()
      if (next !== undefined && canStart()) start(next)
      else if (running.size === 0) finish(progress)
    }

    /** Timers come before what has arrived: where this process was late, and not the node, the answer is there. */
    function look(act: () => void) {
      setImmediate(act)
    }

    function hedge(attempt: Attempt) {
      const rival = queue.find(({ host }) => host !== attempt.upstream.host)
      if (isOver || isHedged || !running.has(attempt) || rival === undefined || !canStart()) return
      const isLeaving = Standing.isDemoted(attempt.upstream.standing)
      if (!isLeaving && !hedging.spend()) {
        hedgeAfter(rearmMs, attempt)
        return
      }
      isHedged = true
      queue.splice(queue.indexOf(rival), 1)
      options.onHedge?.(attempt.upstream)
      start(rival)
    }

    signal?.addEventListener('abort', giveUp, { once: true })
    const first = queue.shift()
    if (first !== undefined && canStart()) start(first)
    else finish(progress)
  })
}

/** Notes what an attempt's end says of its node, and of those that it overtook. */
function judge(
  { startedAt, upstream }: Attempt,
  failed: Failure | undefined,
  others: Iterable<Attempt>,
  now: number,
) {
  if (failed !== undefined) {
    if (isNodesFault(failed)) Standing.fail(upstream.standing, now)
    return
  }
  Standing.succeed(upstream.standing, now)
  for (const other of others)
    if (other.startedAt < startedAt) Standing.loseHedge(other.upstream.standing, now)
}

export declare namespace race {
  type Options = {
    /** Best first. */
    upstreams: readonly Upstream[]
    /** Monotonic time at which all attempts end. */
    endsAt: number
    maxAttempts: number
    /** Sort of request whose times are comparable. */
    mode: string
    hedging: Hedging
    /** @returns Why the matter is not settled, or `undefined` when it is. */
    attempt: (upstream: Upstream, options: AttemptOptions) => Promise<Failure | undefined>
    /** Whether the same node is asked once more: before the others, or after them. */
    asksAgain: (failure: Failure) => 'next' | 'last' | undefined
    /** Labels of nodes that were overtaken in the same work, kept up to date. */
    slow?: Set<string> | undefined
    signal?: AbortSignal | undefined
    onFailure?: ((upstream: Upstream, failure: Failure) => void) | undefined
    onAttempt?: ((upstream: Upstream, tookMs: number, failure?: Failure) => void) | undefined
    onHedge?: ((slow: Upstream) => void) | undefined
  }
  type AttemptOptions = {
    timeoutMs: number
    signal: AbortSignal
  }
  type Result = {
    tried: number
    /** Of the last attempt that failed; `undefined` when the matter is settled. */
    failure: Failure | undefined
  }
}
