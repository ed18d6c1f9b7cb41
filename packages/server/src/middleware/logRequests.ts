import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import type { Logger } from '../logger.js'

/** One line for each request: what, how it ended, how long. Without the query, which says who trades what. */
export function logRequests({ logger }: { logger: Logger }): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const startedAt = performance.now()
    await next()
    logger.info({
      requestId: c.get('requestId'),
      traceId: traceIdOf(c.req.header('traceparent')),
      method: c.req.method,
      // A reader of logs sees what is there: no sign that moves or hides others.
      path: c.req.path.slice(0, 128).replace(/[^ -~]/g, '?'),
      status: c.res.status,
      ms: Math.round(performance.now() - startedAt),
    })
  }
}

/** The trace that a W3C `traceparent` names; whether it is sampled is not for callers to say. */
function traceIdOf(header: string | undefined): string | undefined {
  return /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(header ?? '')?.[1]
}
