import type { Connection, Exchange } from './Connection.js'

/** Longest time in a turn for requests that were sent ahead. */
const turnMs = 2
/** Longest time without such a turn while new connections come in. */
const takingMs = 10

/** Connections whose next request waits for its turn. */
export type AheadQueue = {
  readonly push: (connection: Connection) => void
  /** Notes that a new connection came in. */
  readonly noteTaken: () => void
}

/**
 * Begins what was sent ahead a little at a time, so that it keeps nobody waiting who asks for one thing.
 *
 * @param begin Begins a request, which then no longer counts as sent ahead.
 */
export function createAheadQueue(
  begin: (connection: Connection, exchange: Exchange) => void,
): AheadQueue {
  const due: Connection[] = []
  let takenAt = Number.NEGATIVE_INFINITY
  let turnEndedAt = Number.NEGATIVE_INFINITY

  function beginDue(): void {
    const at = performance.now()
    // The system hands new connections over one in a turn, so turns are kept short while there are any.
    const isTaking = at - takenAt < turnMs && at - turnEndedAt < takingMs
    if (isTaking) return void setImmediate(beginDue)
    const until = at + turnMs
    while (due.length > 0 && performance.now() < until) {
      const connection = due.shift()!
      const next = connection.ahead.shift()
      if (next !== undefined) begin(connection, next)
    }
    turnEndedAt = performance.now()
    if (due.length > 0) setImmediate(beginDue)
  }

  return {
    push(connection) {
      due.push(connection)
      if (due.length === 1) setImmediate(beginDue)
    },
    noteTaken() {
      takenAt = performance.now()
    },
  }
}
