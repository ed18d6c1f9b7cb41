import { type Failure, isNodesFault } from './failures.js'
import type { Hedging } from './Hedging.js'
import * as Standing from './Standing.js'
import type { Upstream } from './Upstream.js'

/**
 * Maximum number of repeated attempts that do not count: the chain can drop a block, and move once more while nodes are
 * asked. There is a limit because a node can pretend that the chain moves.
 */
const maxAskedAgain = 2
/** Time after which a hedge without budget tries again. */
const rearmMs = 25
/**
 * The hedge delay is waited for in this many steps, so that time in which this process is blocked does not count against
 * the node: a step that takes longer counts as one step.
 */
const steps = 5

type Attempt = {
  readonly upstream: Upstream
  readonly controller: AbortController
  readonly startedAt: number
  /** Timer for the turn of the next node; set if there is one. */
  turn?: NodeJS.Timeout
  /** Whether its share of the time is over. */
  isOverdue: boolean
}

/** State of a running race. */
type Course = {
  readonly options: race.Options
  /** Nodes that have not been asked yet, best first. */
  readonly queue: Upstream[]
  readonly running: Set<Attempt>
  readonly progress: { tried: number; askedAgain: number; failure: Failure }
  isHedged: boolean
  /** The attempt that may be hedged. */
  watched: Attempt | undefined
  timer: NodeJS.Timeout | undefined
  isOver: boolean
  readonly finish: (result: race.Result) => void
  /** Ends the race with an error that an attempt threw. */
  readonly fail: (error: unknown) => void
}

/**
 * Asks one node after the other until an attempt succeeds or no node is left.
 *
 * After a failure, asks the next node at once. Does so too when a node's share of the time is over, which counts as a
 * failure; but that node can still win, because the others may be no faster. If a node is slower than usual, also asks one
 * on another host, once and within the hedge budget, and the first response wins. Leaving a node that was demoted meanwhile
 * uses no hedge budget; otherwise an outage of one node would use it up. Aborts the losers.
 */
export function race(options: race.Options): Promise<race.Result> {
  const { hedging, signal } = options
  hedging.earn()
  return new Promise((resolve, reject) => {
    const course: Course = {
      options,
      queue: [...options.upstreams],
      running: new Set(),
      progress: { tried: 0, askedAgain: 0, failure: 'connect' },
      isHedged: false,
      watched: undefined,
      timer: undefined,
      isOver: false,
      finish(result) {
        course.isOver = true
        clearTimeout(course.timer)
        signal?.removeEventListener('abort', onAbort)
        giveUp(course)
        resolve(result)
      },
      fail: reject,
    }
    const onAbort = () => giveUp(course)
    signal?.addEventListener('abort', onAbort, { once: true })
    startNext(course)
  })
}

function giveUp({ running }: Course): void {
  for (const { controller, turn } of running) {
    clearTimeout(turn)
    controller.abort()
  }
}

function canStart({ options, progress }: Course): boolean {
  const attemptsLeft = options.maxAttempts - progress.tried + progress.askedAgain
  return attemptsLeft > 0 && options.endsAt > performance.now() && !options.signal?.aborted
}

/** Asks the next node, or ends the race if no attempt is running and no node is left. */
function startNext(course: Course): void {
  const next = course.queue.shift()
  if (next !== undefined && canStart(course)) start(course, next)
  else if (course.running.size === 0) course.finish(course.progress)
}

function start(course: Course, upstream: Upstream): void {
  const { options, queue } = course
  const startedAt = performance.now()
  const controller = new AbortController()
  const attempt: Attempt = { upstream, controller, startedAt, isOverdue: false }
  course.running.add(attempt)
  course.progress.tried++
  const timeoutMs = options.endsAt - startedAt
  if (queue.length > 0) {
    const shareMs = timeoutMs / (queue.length + 1)
    attempt.turn = setTimeout(look, shareMs, () => passTurn(course, attempt)).unref()
  }
  options
    .attempt(upstream, { timeoutMs, signal: controller.signal })
    .then((failed) => end(course, attempt, failed), course.fail)
  clearTimeout(course.timer)
  course.watched = attempt
  if (!course.isHedged && queue.length > 0)
    hedgeAfter(course, options.hedging.delayMs(options.mode), attempt)
}

function hedgeAfter(course: Course, ms: number, attempt: Attempt, left = steps): void {
  const step = () => {
    if (course.isOver || course.watched !== attempt) return
    if (left > 1) hedgeAfter(course, ms, attempt, left - 1)
    else hedge(course, attempt)
  }
  course.timer = setTimeout(look, ms / steps, step).unref()
}

function hedge(course: Course, attempt: Attempt): void {
  const { options, queue } = course
  const rival = queue.find(({ host }) => host !== attempt.upstream.host)
  if (course.isOver || course.isHedged || !course.running.has(attempt)) return
  if (rival === undefined || !canStart(course)) return
  const isLeaving = Standing.isDemoted(attempt.upstream.standing)
  if (!isLeaving && !options.hedging.spend()) {
    hedgeAfter(course, rearmMs, attempt)
    return
  }
  course.isHedged = true
  queue.splice(queue.indexOf(rival), 1)
  options.onHedge?.(attempt.upstream)
  start(course, rival)
}

function passTurn(course: Course, attempt: Attempt): void {
  const { options, queue, running } = course
  if (course.isOver || !running.has(attempt) || queue.length === 0 || !canStart(course)) return
  attempt.isOverdue = true
  options.slow?.add(attempt.upstream.label)
  note(course, attempt, 'timeout')
  start(course, queue.shift()!)
}

function note(course: Course, attempt: Attempt, failed: Failure | undefined): void {
  const { options, progress, running } = course
  const now = performance.now()
  judge(attempt, failed, running, now)
  options.onAttempt?.(attempt.upstream, now - attempt.startedAt, failed)
  if (failed === undefined) return
  progress.failure = failed
  if (failed !== 'cancelled') options.onFailure?.(attempt.upstream, failed)
}

function end(course: Course, attempt: Attempt, failed: Failure | undefined): void {
  if (course.isOver) return
  course.running.delete(attempt)
  clearTimeout(attempt.turn)
  // The end of its share was already counted as a failure.
  if (failed === undefined || !attempt.isOverdue) note(course, attempt, failed)
  if (failed === undefined) win(course, attempt)
  else moveOn(course, attempt.upstream, failed)
}

function win({ finish, options, progress, running }: Course, winner: Attempt): void {
  const { hedging, mode, slow } = options
  slow?.delete(winner.upstream.label)
  for (const { startedAt, upstream } of running)
    if (startedAt < winner.startedAt) slow?.add(upstream.label)
  hedging.noteSuccess(mode, performance.now() - winner.startedAt)
  finish({ tried: progress.tried, failure: undefined })
}

function moveOn(course: Course, upstream: Upstream, failed: Failure): void {
  const { options, progress, queue, running } = course
  const isAlone = queue.length === 0 && running.size === 0
  const turn = options.asksAgain(failed)
  const isFree = progress.askedAgain < maxAskedAgain
  if (turn === 'next' || (turn === 'last' && isAlone)) queue.unshift(upstream)
  else if (turn === 'last' && isFree) queue.push(upstream)
  if (turn !== undefined && isFree) progress.askedAgain++
  startNext(course)
}

/** Runs `act` after pending network events, so that a response that has arrived wins if this process was late. */
function look(act: () => void): void {
  setImmediate(act)
}

/** Updates the standing of the node of an attempt, and of slower nodes that were asked before it. */
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
    /** Nodes to ask, best first. */
    upstreams: readonly Upstream[]
    /** Monotonic time in milliseconds at which all attempts end. */
    endsAt: number
    maxAttempts: number
    /** Kind of request with comparable times. */
    mode: string
    hedging: Hedging
    /** Asks one node. Returns the failure, or `undefined` if the attempt succeeded. */
    attempt: (upstream: Upstream, options: AttemptOptions) => Promise<Failure | undefined>
    /** Whether to ask the same node again after a failure: `next` before the others, `last` after them. */
    asksAgain: (failure: Failure) => 'next' | 'last' | undefined
    /** Labels of nodes that were slower than another node in the same work. The race updates it. */
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
    /** Failure of the last failed attempt; `undefined` if an attempt succeeded. */
    failure: Failure | undefined
  }
}
