import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import type { Metrics } from '../metrics/createMetrics.js'

/** Measures every request. Unknown paths share one label, so that callers cannot create series. */
export function measure(
  metrics: Metrics,
  isRoute: (path: string) => boolean,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const startedAt = performance.now()
    metrics.noteActive(1)
    try {
      await next()
    } finally {
      metrics.noteActive(-1)
      const route = isRoute(c.req.path) ? c.req.path : 'none'
      const tookMs = performance.now() - startedAt
      metrics.noteRequest({ method: c.req.method, route, status: c.res.status, tookMs })
      const refusal = c.get('refusal')
      if (refusal !== undefined) metrics.noteRefusal(refusal)
    }
  }
}
