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

/** Writes a line for a request: who, what, how it ended, how long. Without the query, which says who trades what. */
export type NoteRequest = (request: AnsweredRequest) => void

/** Whoever is refused asks again at once, and each line costs as much as the refusal. */
const refusedStatuses = [429, 503]

/** @returns `undefined` if such lines are not kept. */
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
      // A reader of logs sees what is there: no sign that moves or hides others.
      path: path.slice(0, 128).replace(/[^ -~]/g, '?'),
      ms: Math.round(tookMs),
      ...(caller && { caller }),
    }
    if (!refusedStatuses.includes(status)) return logger.info(line)
    throttle.write(`refused ${status} ${caller}`, (more) => logger.info({ ...line, ...more }))
  }
}

/** The trace that a W3C `traceparent` names; whether it is sampled is not for callers to say. */
function traceIdOf(header: string | undefined): string | undefined {
  return /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(header ?? '')?.[1]
}
