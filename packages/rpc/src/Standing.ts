/** Health record of a node. Times are monotonic milliseconds, passed by the caller. */
export type Standing = {
  /** Hedges lost in a row: another node responded first although it was asked later. */
  losses: number
  /** Whether each of the last requests failed, oldest first. */
  recent: boolean[]
  /** Set while demoted: latest time of the next probe. */
  lookAt: number | undefined
  /** Maximum time between probes of a demoted node. */
  periodMs: number
  restoredAt: number
  /** Successful probes in a row. */
  passed: number
  /** Requests since the last probe. */
  sinceProbe: number
  /** The node gets no requests until this time (429 with Retry-After). */
  restUntil: number
  /** Time of that response. */
  restedAt: number
}

const maxLosses = 5
const recentLength = 20
const maxRecentFailures = 5
const firstPeriodMs = 5_000
const maxPeriodMs = 60_000
/** A demoted node gets a copy of one request in this many. Nobody waits for its response. */
const probeEvery = 20
const probesToPass = 2
const maxRestMs = 60_000
const minRestMs = 4_000

/** Initial record of a node. */
export function create(): Standing {
  return {
    losses: 0,
    recent: [],
    lookAt: undefined,
    periodMs: firstPeriodMs,
    restoredAt: Number.NEGATIVE_INFINITY,
    passed: 0,
    sinceProbe: 0,
    restUntil: Number.NEGATIVE_INFINITY,
    restedAt: Number.NEGATIVE_INFINITY,
  }
}

/** Whether the node is demoted: it is asked only if no other node is left. */
export function isDemoted(standing: Standing): boolean {
  return standing.lookAt !== undefined
}

/** Whether the node gets no requests for now, because of its Retry-After. */
export function isResting(standing: Standing, now: number): boolean {
  return now < standing.restUntil
}

/** Records a success. */
export function succeed(standing: Standing, now: number): void {
  if (isDemoted(standing)) passProbe(standing, now)
  else note(standing, false)
  standing.losses = 0
}

/** Records a failure. The fifth among the last twenty requests demotes the node. */
export function fail(standing: Standing, now: number): void {
  if (isDemoted(standing)) failProbe(standing, now)
  else note(standing, true)
  if (standing.recent.filter(Boolean).length >= maxRecentFailures) demote(standing, now)
}

/** Demotes a node whose response was proven wrong, until its probes succeed. */
export function refute(standing: Standing, now: number): void {
  if (isDemoted(standing)) failProbe(standing, now)
  else demote(standing, now)
}

/** Records that a node that was asked later responded first. The fifth time in a row demotes this node. */
export function loseHedge(standing: Standing, now: number): void {
  if (isDemoted(standing)) return
  standing.losses++
  if (standing.losses >= maxLosses) demote(standing, now)
}

/** Stops requests to the node for the time that it asked for, at most a minute. */
export function rest(standing: Standing, now: number, forMs: number): void {
  standing.restUntil = now + Math.min(forMs, maxRestMs)
  standing.restedAt = now
}

/** Ends the rest of a node that responds before the end of its Retry-After. */
export function wake(standing: Standing): void {
  standing.restUntil = Number.NEGATIVE_INFINITY
}

/** Whether a resting node may be probed: it often recovers long before the end of its Retry-After. */
export function isRested(standing: Standing, now: number): boolean {
  return now - standing.restedAt >= minRestMs
}

/** Counts a request, and returns whether to send a copy of it to the demoted node. */
export function takesProbe(standing: Standing, now: number): boolean {
  if (standing.lookAt === undefined) return false
  standing.sinceProbe++
  if (standing.sinceProbe < probeEvery && now < standing.lookAt) return false
  standing.sinceProbe = 0
  standing.lookAt = now + standing.periodMs
  return true
}

function passProbe(standing: Standing, now: number): void {
  standing.passed++
  if (standing.passed < probesToPass) {
    standing.lookAt = now
    return
  }
  standing.lookAt = undefined
  standing.passed = 0
  standing.restoredAt = now
}

function failProbe(standing: Standing, now: number): void {
  standing.passed = 0
  standing.periodMs = Math.min(2 * standing.periodMs, maxPeriodMs)
  standing.lookAt = now + standing.periodMs
}

function demote(standing: Standing, now: number): void {
  const isRelapse = now - standing.restoredAt < maxPeriodMs
  standing.periodMs = isRelapse ? Math.min(2 * standing.periodMs, maxPeriodMs) : firstPeriodMs
  standing.lookAt = now + standing.periodMs
  standing.losses = 0
  standing.passed = 0
  standing.sinceProbe = 0
  standing.recent = []
}

function note(standing: Standing, isFailure: boolean): void {
  standing.recent.push(isFailure)
  if (standing.recent.length > recentLength) standing.recent.shift()
}
