import type { Engine, EngineConfig, QuoteAnswer } from '@sluice/engine'
import { type Families, secondsBuckets } from './families.js'

export type EngineMetrics = {
  readonly noteQuote: (answer: QuoteAnswer, nowMs: number) => void
  /** Records the result of a decode: `sound`, or the failed check. */
  readonly noteDecode: (result: string) => void
  readonly noteIndexFailure: (failure: { chainId: number; fault: string }) => void
  /** Records a database or store that could not be reached. */
  readonly noteStoreFault: (store: 'shared' | 'swaps') => void
  readonly hooks: Pick<EngineConfig, 'onAttempt' | 'onHedge'>
}

/** Metrics of quotes, nodes, indexes and stores. */
export function createEngineMetrics(families: Families): EngineMetrics & {
  look: (engine: Engine) => void
} {
  const quotes = createQuoteMetrics(families)
  const nodes = createNodeMetrics(families)
  const index = createIndexMetrics(families)
  return {
    ...quotes,
    noteIndexFailure: index.noteIndexFailure,
    noteStoreFault: index.noteStoreFault,
    hooks: nodes.hooks,
    look(engine) {
      nodes.look(engine)
      index.look(engine)
    },
  }
}

function createQuoteMetrics({ counter, histogram }: Families) {
  const quotes = counter('sluice_quotes_total', 'Quotes by outcome.', 'chain mode outcome')
  const cache = counter('sluice_quote_cache_total', 'Quotes by cache result.', 'chain result')
  const decoded = counter('sluice_decode_integrity_total', 'Decoded results of callers.', 'result')
  const age = histogram(
    'sluice_quote_block_age_seconds',
    'Age of the block of a quote.',
    ['chain'],
    [0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
  )
  return {
    noteQuote({ block, cache: result, quote }: QuoteAnswer, nowMs: number) {
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
    noteDecode: (result: string) => decoded.inc({ result }),
  }
}

function createNodeMetrics({ counter, gauge, histogram }: Families) {
  const calls = histogram(
    'rpc_client_call_duration_seconds',
    'Duration of node requests, by outcome.',
    ['rpc_system_name', 'rpc_method', 'upstream', 'error_type'],
    secondsBuckets,
  )
  const hedges = counter(
    'sluice_rpc_hedges_total',
    'Requests to a second node because the first was slow.',
    'upstream',
  )
  const mismatches = counter(
    'sluice_rpc_witness_mismatch_total',
    'Node answers on the wrong block.',
    'upstream',
  )
  const head = gauge('sluice_head_block', 'Latest block of a chain.', ['chain'])
  const lag = gauge(
    'sluice_rpc_head_lag_blocks',
    "Blocks that a node is behind its chain's head.",
    ['upstream'],
  )
  const demoted = gauge('sluice_rpc_breaker_state', '1 while a node is demoted.', ['upstream'])
  const excluded = gauge(
    'sluice_rpc_excluded',
    '1 while a node is excluded because it serves another chain.',
    ['upstream'],
  )
  const hooks: EngineMetrics['hooks'] = {
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
  }
  return {
    hooks,
    look(engine: Engine) {
      for (const { chainId, head: number } of engine.health())
        if (number !== undefined) head.set({ chain: `${chainId}` }, Number(number))
      lag.reset()
      for (const { headLag, isDemoted, isExcluded, label } of engine.nodes()) {
        demoted.set({ upstream: label }, isDemoted ? 1 : 0)
        excluded.set({ upstream: label }, isExcluded ? 1 : 0)
        if (headLag !== undefined) lag.set({ upstream: label }, headLag)
      }
    },
  }
}

function createIndexMetrics({ counter, gauge }: Families) {
  const indexed = gauge('sluice_index_block', 'Last block in the swap index.', ['chain'])
  const lag = gauge('sluice_index_lag_blocks', 'Blocks by which the swap index is behind.', [
    'chain',
  ])
  const part = gauge('sluice_index_progress_ratio', 'Share of the blocks that is indexed.', [
    'chain',
  ])
  const failures = counter(
    'sluice_index_failures_total',
    'Failed rounds of the swap index.',
    'chain reason',
  )
  const stores = counter(
    'sluice_store_faults_total',
    'Failed accesses to a database or store.',
    'store',
    ['shared', 'swaps'],
  )
  return {
    noteIndexFailure({ chainId, fault }: { chainId: number; fault: string }) {
      failures.inc({ chain: `${chainId}`, reason: fault })
    },
    noteStoreFault: (store: 'shared' | 'swaps') => stores.inc({ store }),
    look(engine: Engine) {
      for (const { block, chainId, head: latest, part: done } of engine.indexing()) {
        const chain = `${chainId}`
        indexed.set({ chain }, block)
        lag.set({ chain }, latest - block)
        part.set({ chain }, done)
      }
    },
  }
}
