import type { Connection, Exchange } from './Connection.js'

/** Maximum time per event loop turn for pipelined requests, in milliseconds. */
const turnMs = 2
/** Maximum time without such a turn while new connections arrive, in milliseconds. */
const takingMs = 10

/** Queue of connections with a waiting pipelined request. */
export type AheadQueue = {
  readonly push: (connection: Connection) => void
  /** Records that a new connection arrived. */
  readonly noteTaken: () => void
}

/**
 * Starts pipelined requests a few at a time, so that they do not delay clients that send one request.
 *
 * @param begin Starts a request, which then no longer counts as pipelined.
 */
export function createAheadQueue(
  begin: (connection: Connection, exchange: Exchange) => void,
): AheadQueue {
  const due: Connection[] = []
  let takenAt = Number.NEGATIVE_INFINITY
  let turnEndedAt = Number.NEGATIVE_INFINITY

  function beginDue(): void {
    const at = performance.now()
    // The operating system delivers one new connection per turn, so keep turns short while connections arrive.
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
