import { ApiError, type ErrorResponse, encodeError, type QuoteStreamEvent } from '@sluice/api'
import type { QuoteRequest } from '@sluice/domain'
import type { QuoteAnswer } from '@sluice/engine'
import type { AppEnv } from '../AppEnv.js'
import type { Callers } from '../http/callers.js'
import { clientSignal } from '../http/clientSignal.js'
import { openHeaders, retryAfter } from '../http/headers.js'
import { queryText } from '../http/queryOf.js'
import { type Limiter, ShedError } from '../limits/Limiter.js'
import type { StreamLimits, Streams } from '../limits/Streams.js'
import { answerError, toApiError } from '../middleware/handleErrors.js'
import type { Run } from '../middleware/Layer.js'
import { answerQuote } from './answerQuote.js'
import { chargeMiss, hitPoints, missPointsOf, pointsOf } from './pointsOf.js'
import type { QuoteRouteOptions } from './quote.js'
import { readQuoteQuery } from './readQuery.js'
import { refuseOverrides } from './refuseOverrides.js'

/**
 * Bounds on the poll interval in milliseconds. A poll between blocks is answered from memory or costs one shared
 * header.
 */
const [minPollMs, maxPollMs] = [250, 2_000]
/** Interval of comment lines, which make proxies keep the connection, in milliseconds. */
const heartbeatMs = 15_000
/**
 * Time in milliseconds after which a client reconnects: after the end, after a temporary error, and after a lasting
 * one.
 */
const againMs = { ended: 1_000, failed: 5_000, refused: 60_000 } as const
/** Extra time in milliseconds before a stream is closed whose client does not read. */
const graceMs = 2_000

export type StreamOptions = {
  callers: Callers
  limiter: Limiter
  streams: Streams
  streamLimits: StreamLimits
  /** Aborts when the service stops; ends every stream. */
  stopping: AbortSignal
}

/** GET /api/quote/stream: sends an event at once, and one for each block on which the quote differs. */
export function getQuoteStream(options: QuoteRouteOptions & StreamOptions): Run {
  const { callers, limiter, metrics, now, stopping, streamLimits: limits, streams } = options
  return async (c) => {
    const query = queryText(c.req.url)
    const request = await readQuoteQuery(options, query, clientSignal(c))
    refuseOverrides(request)
    const requestId = c.get('requestId')
    const headers = { ...openHeaders, ...streamHeaders, 'x-request-id': requestId }
    // A HEAD response has no body to read, so a stream would stay open forever.
    if (c.req.method === 'HEAD') return new Response(null, { headers })
    await chargeMiss(c, missPointsOf(request))
    const caller = callers.of(c.env?.incoming)
    const leave = streams.open(caller)
    if (typeof leave === 'string') {
      metrics?.noteShed('streams')
      c.set('points', hitPoints)
      return answerError(c, tooMany(leave, limits), retryAfter)
    }
    const charge = c.get('charge')
    const enter = () => limiter.enter(caller, `stream?${query}`)
    const body = openStream(clientSignal(c), {
      maxMs: limits.maxMs + graceMs,
      onLeave: leave,
      begin: (signal) =>
        follow(options, request, {
          caller,
          charge,
          enter,
          limits,
          now,
          requestId,
          signal,
          stopping,
        }),
    })
    return new Response(body, { headers })
  }
}

function tooMany(which: 'full' | 'full_for_address', limits: StreamLimits): ApiError {
  if (which === 'full')
    return new ApiError('overloaded', `All ${limits.maxStreams} streams are in use. Retry later.`)
  return new ApiError(
    'rate_limited',
    `This address has ${limits.maxPerAddress} streams open, which is the maximum. Close one first.`,
  )
}

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const

type OpenOptions = {
  /** Maximum lifetime, even if nobody reads. */
  maxMs: number
  onLeave: () => void
  begin: (signal: AbortSignal) => AsyncGenerator<QuoteStreamEvent | 'heartbeat'>
}

function openStream(
  client: AbortSignal,
  { begin, maxMs, onLeave }: OpenOptions,
): ReadableStream<Uint8Array> {
  const leaving = new AbortController()
  const events = begin(AbortSignal.any([client, leaving.signal]))
  let timer: NodeJS.Timeout | undefined
  const leave = () => {
    if (leaving.signal.aborted) return
    leaving.abort()
    clearTimeout(timer)
    onLeave()
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setTimeout(() => {
        leave()
        controller.error(new DOMException('The stream was not read.', 'AbortError'))
      }, maxMs).unref()
    },
    async pull(controller) {
      const next = await events.next()
      if (!next.done) return controller.enqueue(encode(next.value))
      leave()
      controller.close()
    },
    cancel: leave,
  })
}

type FollowOptions = {
  caller: string
  charge: AppEnv['Variables']['charge']
  enter: () => Promise<() => void>
  limits: StreamLimits
  now: () => number
  requestId: string
  signal: AbortSignal
  stopping: AbortSignal
}

async function* follow(
  { engine }: QuoteRouteOptions,
  request: QuoteRequest.QuoteRequest,
  { caller, charge, enter, limits, now, requestId, signal, stopping }: FollowOptions,
): AsyncGenerator<QuoteStreamEvent | 'heartbeat'> {
  const endsAt = performance.now() + limits.maxMs
  const pollMs = Math.min(Math.max(request.chain.blockTimeMs / 2, minPollMs), maxPollMs)
  const ending = AbortSignal.any([signal, stopping])
  let [sent, lastText, lastWrite] = [0, '', performance.now()]
  let [lastBlock, paidBlock]: (Block | undefined)[] = []
  while (!signal.aborted) {
    const startedAt = now()
    try {
      const leave = await enter()
      const answer = await engine.quote(request, { signal, caller }).finally(leave)
      // The request has paid for the first block. Polling the same block again is free.
      if (paidBlock !== undefined && !isSame(answer.block, paidBlock))
        await charge?.(pointsOf([answer]))
      paidBlock = answer.block
      const { meta, ...data } = answerQuote(engine, answer, { now: now(), startedAt })
      const text = JSON.stringify(data)
      // Each answer has a new deadline. On the block that was already sent, that is not a change.
      if (text !== lastText && !isSame(answer.block, lastBlock)) {
        ;[lastText, lastBlock, lastWrite] = [text, answer.block, performance.now()]
        sent++
        yield { event: 'quote', id: `${answer.block.number}`, data: { ...data, meta } }
      }
    } catch (error) {
      // If the service is busy, the stream skips one poll and continues.
      if (!(error instanceof ShedError)) {
        const data = encodeError(toApiError(error), requestId) as ErrorResponse
        if (!signal.aborted) yield { event: 'error', data }
        return
      }
    }
    if (stopping.aborted) return yield { event: 'end', data: { reason: 'shutdown' } }
    if (sent >= limits.maxEvents) return yield { event: 'end', data: { reason: 'count' } }
    if (performance.now() + pollMs > endsAt) return yield { event: 'end', data: { reason: 'time' } }
    if (performance.now() - lastWrite > heartbeatMs) {
      lastWrite = performance.now()
      yield 'heartbeat'
    }
    await pause(pollMs, ending)
  }
}

type Block = QuoteAnswer['block']

/** Returns whether both are the same block, not just of the same height. The hash of a block may not be known yet. */
function isSame(block: Block, other: Block | undefined): boolean {
  if (other === undefined || block.number !== other.number) return false
  if (block.hash !== undefined && other.hash !== undefined) return block.hash === other.hash
  return block.parentHash === other.parentHash && block.timestamp === other.timestamp
}

/** Waits, or returns early if the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })
}

function encode(event: QuoteStreamEvent | 'heartbeat'): Uint8Array {
  if (event === 'heartbeat') return Buffer.from(': still here\n\n')
  const id = 'id' in event ? `id: ${event.id}\n` : ''
  const data = `data: ${JSON.stringify(event.data)}\n`
  return Buffer.from(`event: ${event.event}\n${id}${retryOf(event)}${data}\n`)
}

/** A browser's EventSource always reconnects after a stream ends. This says when. */
function retryOf(event: QuoteStreamEvent): string {
  switch (event.event) {
    case 'quote':
      return ''
    case 'end':
      return `retry: ${againMs.ended}\n`
    case 'error':
      return `retry: ${event.data.retryable ? againMs.failed : againMs.refused}\n`
  }
}
