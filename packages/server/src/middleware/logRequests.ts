import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import type { Logger } from '../logger.js'

/** One line for each request: what, how it ended, how long. Without the query, which says who trades what. */
export function logRequests({ logger }: { logger: Logger }): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const startedAt = performance.now()
    await next()
    const line = lineOf({
      requestId: c.get('requestId'),
      traceparent: c.req.header('traceparent'),
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      tookMs: performance.now() - startedAt,
    })
    logger.info(line)
  }
}

export function lineOf({ method, path, requestId, status, tookMs, traceparent }: lineOf.Request) {
  return {
    requestId,
    method,
    status,
    traceId: traceIdOf(traceparent),
    // A reader of logs sees what is there: no sign that moves or hides others.
    path: path.slice(0, 128).replace(/[^ -~]/g, '?'),
    ms: Math.round(tookMs),
  }
}

export declare namespace lineOf {
  type Request = {
    requestId: string
    traceparent: string | undefined
    method: string
    path: string
    status: number
    tookMs: number
  }
}

/** The trace that a W3C `traceparent` names; whether it is sampled is not for callers to say. */
function traceIdOf(header: string | undefined): string | undefined {
  return /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(header ?? '')?.[1]
}
