import type { Engine } from '@sluice/engine'
import { Registry } from 'prom-client'
import { createEngineMetrics, type EngineMetrics } from './engineMetrics.js'
import { createFamilies } from './families.js'
import { createHttpMetrics, type Holdings, type HttpMetrics } from './httpMetrics.js'
import { createProcessMetrics } from './processMetrics.js'

/** Metrics for the operator. Labels contain no tokens, addresses, URLs or free text. */
export type Metrics = HttpMetrics &
  EngineMetrics & {
    /** Records the event loop delay in milliseconds. */
    readonly noteLate: (lateMs: number) => void
    /** In Prometheus' text format. */
    readonly text: (engine: Engine, holdings: Holdings) => Promise<string>
    readonly contentType: string
  }

export function createMetrics(): Metrics {
  const registry = new Registry()
  const families = createFamilies(registry)
  const { look: lookAtHttp, ...http } = createHttpMetrics(families)
  const { look: lookAtEngine, ...engine } = createEngineMetrics(families)
  const { look: lookAtProcess, noteLate } = createProcessMetrics(families)
  return {
    ...http,
    ...engine,
    noteLate,
    text(of, holdings) {
      lookAtHttp(holdings)
      lookAtEngine(of)
      lookAtProcess()
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}
