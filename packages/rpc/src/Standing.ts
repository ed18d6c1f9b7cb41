/** What is remembered of a node's conduct. Times are monotonic milliseconds, given by the caller. */
export type Standing = {
  /** Hedges lost in a row: another node answered first although it was asked later. */
  losses: number
  /** Of the last requests, oldest first: whether each failed. */
  recent: boolean[]
  /** Set while demoted: when the node is looked at again at the latest. */
  lookAt: number | undefined
  /** How long a demotion lasts before the node is looked at again. */
  periodMs: number
  restoredAt: number
  /** Probes passed in a row, and requests since the last probe. */
  passed: number
  sinceProbe: number
  /** The node asked to be left alone until then (429 with Retry-After), and when it did. */
  restUntil: number
  restedAt: number
}

const maxLosses = 5
const recentLength = 20
const maxRecentFailures = 5
const firstPeriodMs = 5_000
const maxPeriodMs = 60_000
/** While demoted, one request in so many sends the node a copy of itself that nobody waits for. */
const probeEvery = 20
const probesToPass = 2
const maxRestMs = 60_000
const minRestMs = 4_000

/** Of a node that was never asked. */
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

/** A demoted node is asked only when no other is left. */
export function isDemoted(standing: Standing): boolean {
  return standing.lookAt !== undefined
}

/** Whether the node asked to be left alone, and still is. */
export function isResting(standing: Standing, now: number): boolean {
  return now < standing.restUntil
}

/** Takes note of an answer. */
export function succeed(standing: Standing, now: number): void {
  if (isDemoted(standing)) passProbe(standing, now)
  else note(standing, false)
  standing.losses = 0
}

/** Takes note of a failure; the fifth among the last twenty requests demotes the node. */
export function fail(standing: Standing, now: number): void {
  if (isDemoted(standing)) failProbe(standing, now)
  else note(standing, true)
  if (standing.recent.filter(Boolean).length >= maxRecentFailures) demote(standing, now)
}

/** Demotes a node whose word was proven wrong, until it has answered copies of requests. */
export function refute(standing: Standing, now: number): void {
  if (isDemoted(standing)) failProbe(standing, now)
  else demote(standing, now)
}

/** Takes note that a node that was asked later was faster; the fifth time in a row demotes the node. */
export function loseHedge(standing: Standing, now: number): void {
  if (isDemoted(standing)) return
  standing.losses++
  if (standing.losses >= maxLosses) demote(standing, now)
}

/** Leaves the node alone for as long as it asked for, within reason. */
export function rest(standing: Standing, now: number, forMs: number): void {
  standing.restUntil = now + Math.min(forMs, maxRestMs)
  standing.restedAt = now
}

/** The node answers again before it said that it would. */
export function wake(standing: Standing): void {
  standing.restUntil = Number.NEGATIVE_INFINITY
}

/** Whether a resting node may be looked at: what it asked for may be over long before. */
export function isRested(standing: Standing, now: number): boolean {
  return now - standing.restedAt >= minRestMs
}

/** Whether a copy of this request should go to the demoted node; counts the request. */
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
