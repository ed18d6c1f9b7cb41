import type { IncomingMessage } from 'node:http'
import type { Callers } from '../http/callers.js'
import type { Logger } from '../logger.js'
import type { LogThrottle } from './throttleLog.js'

export type AnsweredRequest = {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly tookMs: number
  readonly traceparent: string | undefined
  readonly incoming: IncomingMessage | undefined
}

/** Logs a request: caller, method, path, status and time. Without the query, which shows who trades what. */
export type NoteRequest = (request: AnsweredRequest) => void

/** Refused callers often retry at once, and a log line costs as much as the refusal, so these lines are throttled. */
const refusedStatuses = [429, 503]

/** @returns `undefined` if requests are not logged. */
export function createNoteRequest(options: {
  callers: Callers
  logger: Logger
  nameOf: (address: string) => string | undefined
  throttle: LogThrottle
}): NoteRequest | undefined {
  const { callers, logger, nameOf, throttle } = options
  if (!logger.isLevelEnabled('info')) return undefined
  return ({ incoming, method, path, requestId, status, tookMs, traceparent }) => {
    const caller = nameOf(callers.of(incoming))
    const line = {
      requestId,
      method,
      status,
      traceId: traceIdOf(traceparent),
      // Only printable ASCII: other characters could hide or move text in a terminal.
      path: path.slice(0, 128).replace(/[^ -~]/g, '?'),
      ms: Math.round(tookMs),
      ...(caller && { caller }),
    }
    if (!refusedStatuses.includes(status)) return logger.info(line)
    throttle.write(`refused ${status} ${caller}`, (more) => logger.info({ ...line, ...more }))
  }
}

/** The trace id in a W3C `traceparent`. Its sampling flag is ignored: callers do not decide that. */
function traceIdOf(header: string | undefined): string | undefined {
  return /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(header ?? '')?.[1]
}
