import type { Metrics } from '../metrics/createMetrics.js'
import { type Layer, whenAnswered } from './Layer.js'

/** Measures every request. Unknown paths share one label, so that callers cannot create series. */
export function measure(metrics: Metrics, isRoute: (path: string) => boolean): Layer {
  return (c, next) => {
    const startedAt = performance.now()
    metrics.noteActive(1)
    return whenAnswered(next(), ({ status }) => {
      metrics.noteActive(-1)
      const route = isRoute(c.req.path) ? c.req.path : 'none'
      const tookMs = performance.now() - startedAt
      metrics.noteRequest({ method: c.req.method, route, status, tookMs })
      const refusal = c.get('refusal')
      if (refusal !== undefined) metrics.noteRefusal(refusal)
    })
  }
}
