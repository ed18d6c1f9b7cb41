import type { Engine, EngineConfig, QuoteAnswer } from '@sluice/engine'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Notes of what happens, for the operator. Labels hold no tokens, addresses, URLs or free text. */
export type Metrics = {
  readonly noteRequest: (request: {
    method: string
    route: string
    status: number
    tookMs: number
  }) => void
  readonly noteActive: (change: 1 | -1) => void
  readonly noteQuote: (answer: QuoteAnswer, nowMs: number) => void
  readonly noteRefusal: (code: string) => void
  /** What became of an answer that was to be decoded: `sound`, or what it failed. */
  readonly noteDecode: (result: string) => void
  readonly noteShed: (reason: string) => void
  readonly noteIndexFailure: (failure: { chainId: number; fault: string }) => void
  readonly hooks: Pick<EngineConfig, 'onAttempt' | 'onHedge'>
  /** In Prometheus' text format. */
  readonly text: (engine: Engine) => Promise<string>
  readonly contentType: string
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

export function createMetrics(): Metrics {
  const registers = [new Registry()]
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers })
  const requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time to answer a request.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: seconds,
    registers,
  })
  const active = new Gauge({
    name: 'http_server_active_requests',
    help: 'Requests in hand.',
    registers,
  })
  const calls = new Histogram({
    name: 'rpc_client_call_duration_seconds',
    help: 'Time that a node took for a request, by how it ended.',
    labelNames: ['rpc_system_name', 'rpc_method', 'upstream', 'error_type'],
    buckets: seconds,
    registers,
  })
  const hedges = counter(
    'sluice_rpc_hedges_total',
    'Requests to a second node because the first was slow.',
    ['upstream'],
  )
  const mismatches = counter(
    'sluice_rpc_witness_mismatch_total',
    'Answers of another block than they should be.',
    ['upstream'],
  )
  const quotes = counter('sluice_quotes_total', 'Quotes asked for.', ['chain', 'mode', 'outcome'])
  const refusals = counter('sluice_refusals_total', 'Requests that ended with an error code.', [
    'code',
  ])
  const cache = counter('sluice_quote_cache_total', 'How quotes came about.', ['chain', 'result'])
  const age = new Histogram({
    name: 'sluice_quote_block_age_seconds',
    help: 'Age of the block of a quote.',
    labelNames: ['chain'],
    buckets: [0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
    registers,
  })
  const decoded = counter('sluice_decode_integrity_total', 'Answers that were decoded.', ['result'])
  const shed = counter('sluice_shed_total', 'Requests turned away.', ['reason'])
  const head = new Gauge({
    name: 'sluice_head_block',
    help: 'Latest block of a chain.',
    labelNames: ['chain'],
    registers,
  })
  const headLag = new Gauge({
    name: 'sluice_rpc_head_lag_blocks',
    help: "Blocks that a node is behind its chain's head.",
    labelNames: ['upstream'],
    registers,
  })
  const demoted = new Gauge({
    name: 'sluice_rpc_breaker_state',
    help: '1 while a node is demoted.',
    labelNames: ['upstream'],
    registers,
  })

  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['chain'], registers })
  const indexed = gauge('sluice_index_block', 'Last block in the index of swaps.')
  const lag = gauge('sluice_index_lag_blocks', 'Blocks that the index of swaps is behind.')
  const part = gauge('sluice_index_progress_ratio', 'Part of the blocks that is indexed.')
  const indexFailures = counter('sluice_index_failures_total', 'Rounds of the index that failed.', [
    'chain',
    'reason',
  ])

  /** By method, route and status, of which there are few: finding a series by its labels costs as much as an answer. */
  const requestSeries = new Map<string, Histogram.Internal<string>>()

  return {
    noteRequest({ method, route, status, tookMs }) {
      const key = `${method} ${route} ${status}`
      let series = requestSeries.get(key)
      if (series === undefined) {
        series = requests.labels({
          http_request_method: method,
          http_route: route,
          http_response_status_code: status,
        })
        requestSeries.set(key, series)
      }
      series.observe(tookMs / 1_000)
    },
    noteActive: (change) => active.inc(change),
    noteQuote({ block, cache: result, quote }, nowMs) {
      const { chain, isExact } = quote.request
      const name = `${chain.chainId}`
      quotes.inc({
        chain: name,
        mode: isExact ? 'exact' : 'preview',
        outcome: quote.canExecute ? 'executable' : 'not_executable',
      })
      cache.inc({ chain: name, result })
      age.observe({ chain: name }, Math.max(0, nowMs / 1_000 - Number(block.timestamp)))
    },
    noteRefusal: (code) => refusals.inc({ code }),
    noteDecode: (result) => decoded.inc({ result }),
    noteShed: (reason) => shed.inc({ reason }),
    noteIndexFailure: ({ chainId, fault }) =>
      indexFailures.inc({ chain: `${chainId}`, reason: fault }),
    hooks: {
      onHedge: ({ upstream }) => hedges.inc({ upstream }),
      onAttempt({ failure, tookMs, upstream }) {
        const labels = {
          rpc_system_name: 'jsonrpc',
          rpc_method: 'eth_call',
          upstream,
          error_type: failure ?? '',
        }
        calls.observe(labels, tookMs / 1_000)
        if (failure === 'wrong_block') mismatches.inc({ upstream })
      },
    },
    async text(engine) {
      for (const { chainId, head: number } of engine.health())
        if (number !== undefined) head.set({ chain: `${chainId}` }, Number(number))
      headLag.reset()
      for (const { headLag: blocks, isDemoted, label } of engine.nodes()) {
        demoted.set({ upstream: label }, isDemoted ? 1 : 0)
        if (blocks !== undefined) headLag.set({ upstream: label }, blocks)
      }
      for (const { block, chainId, head: latest, part: done } of engine.indexing()) {
        const chain = `${chainId}`
        indexed.set({ chain }, block)
        lag.set({ chain }, latest - block)
        part.set({ chain }, done)
      }
      return registers[0]!.metrics()
    },
    contentType: registers[0]!.contentType,
  }
}
