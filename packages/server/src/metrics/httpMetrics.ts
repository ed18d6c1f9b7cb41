import type { Histogram } from 'prom-client'
import type { CutCause } from '../http/Connections.js'
import { type Families, secondsBuckets } from './families.js'

/** Current connections, streams and work. */
export type Holdings = {
  readonly connections: { readonly idle: number; readonly busy: number }
  readonly streams: number
  readonly work: { readonly limit: number; readonly busy: number; readonly waiting: number }
}

export type HttpMetrics = {
  readonly noteRequest: (request: {
    method: string
    route: string
    status: number
    tookMs: number
  }) => void
  readonly noteActive: (change: 1 | -1) => void
  readonly noteRefusal: (code: string) => void
  readonly noteShed: (reason: string) => void
  readonly noteCut: (cause: CutCause) => void
}

const cutCauses: readonly CutCause[] = [
  'evicted',
  'refused',
  'half_closed',
  'not_reading',
  'pipelined',
]
const shedReasons = ['queue_full', 'waited', 'flights', 'streams']

/** Metrics of requests, refusals and connections. */
export function createHttpMetrics(families: Families): HttpMetrics & {
  look: (holdings: Holdings) => void
} {
  const { counter, gauge, histogram } = families
  const labels = ['http_request_method', 'http_route', 'http_response_status_code']
  const requests = histogram(
    'http_server_request_duration_seconds',
    'Time to answer a request.',
    labels,
    secondsBuckets,
  )
  const active = gauge('http_server_active_requests', 'Requests being handled.')
  const refusals = counter(
    'sluice_refusals_total',
    'Requests that ended with an error code.',
    'code',
  )
  const shed = counter(
    'sluice_shed_total',
    'Requests refused because of overload.',
    'reason',
    shedReasons,
  )
  const cuts = counter(
    'sluice_connections_cut_total',
    'Connections closed by the service because of the client.',
    'cause',
    cutCauses,
  )
  const connections = gauge('sluice_connections', 'Client connections.', ['state'])
  const streams = gauge('sluice_streams', 'Open quote streams.')
  const work = gauge('sluice_work', 'Requests that hold a work slot, and that wait for one.', [
    'state',
  ])
  const workLimit = gauge('sluice_work_limit', 'Current number of work slots.')
  /** Series by method, route and status. Finding a series by its labels takes as long as a response. */
  const requestSeries = new Map<string, Histogram.Internal<string>>()

  return {
    noteRequest({ method, route, status, tookMs }) {
      const key = `${method} ${route} ${status}`
      let series = requestSeries.get(key)
      if (series === undefined) {
        const [methodName, routeName, statusName] = labels as [string, string, string]
        series = requests.labels({
          [methodName]: method,
          [routeName]: route,
          [statusName]: status,
        })
        requestSeries.set(key, series)
      }
      series.observe(tookMs / 1_000)
    },
    noteActive: (change) => active.inc(change),
    noteRefusal: (code) => refusals.inc({ code }),
    noteShed: (reason) => shed.inc({ reason }),
    noteCut: (cause) => cuts.inc({ cause }),
    look(holdings) {
      for (const state of ['idle', 'busy'] as const)
        connections.set({ state }, holdings.connections[state])
      streams.set(holdings.streams)
      for (const state of ['busy', 'waiting'] as const) work.set({ state }, holdings.work[state])
      workLimit.set(holdings.work.limit)
    },
  }
}
