import type { NoteRequest } from '../logs/noteRequests.js'
import { type Layer, whenAnswered } from './Layer.js'

/** Logs every request. */
export function logRequests(note: NoteRequest): Layer {
  return (c, next) => {
    const startedAt = performance.now()
    return whenAnswered(next(), ({ status }) =>
      note({
        incoming: c.env?.incoming,
        requestId: c.get('requestId'),
        traceparent: c.req.header('traceparent'),
        method: c.req.method,
        path: c.req.path,
        status,
        tookMs: performance.now() - startedAt,
      }),
    )
  }
}
