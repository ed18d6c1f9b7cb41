import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import type { NoteRequest } from '../logs/noteRequests.js'

/** Logs every request. */
export function logRequests(note: NoteRequest): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const startedAt = performance.now()
    await next()
    note({
      incoming: c.env?.incoming,
      requestId: c.get('requestId'),
      traceparent: c.req.header('traceparent'),
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      tookMs: performance.now() - startedAt,
    })
  }
}
