import type { IncomingMessage, ServerResponse } from 'node:http'
import { openHeaders } from './http/headers.js'
import type { QuickAnswer } from './http/QuickAnswer.js'
import { requestIdFrom } from './http/requestId.js'
import type { Logger } from './logger.js'
import type { Metrics } from './metrics.js'
import { lineOf } from './middleware/logRequests.js'
import { type PrepareRouteOptions, quickPreparation } from './routes/prepare.js'
import { type QuoteRouteOptions, quickQuote } from './routes/quote.js'

export type QuickLaneOptions = PrepareRouteOptions &
  QuoteRouteOptions & {
    isRelay: boolean
    isLate?: (() => boolean) | undefined
    logger: Logger
    metrics?: Metrics | undefined
    /** Limits by caller are the middleware's: nothing is quick then. */
    rateLimit?: unknown
  }

/**
 * Answers plain prepared calls and known quotes where they arrive. Such an answer is less work than to carry it through
 * the app, which gives the very same one, and everything else: a test holds the two to each other.
 *
 * @returns Whether the request was answered.
 */
export function createQuickLane(
  options: QuickLaneOptions,
): (incoming: IncomingMessage, outgoing: ServerResponse) => boolean {
  const { isLate, isRelay, logger, metrics, rateLimit } = options
  if (rateLimit !== undefined) return () => false
  const isLogging = logger.isLevelEnabled('info')
  const isWatched = isLogging || metrics !== undefined
  const routes = new Map<string, (query: string) => QuickAnswer | undefined>([
    ['/api/quote/prepare', quickPreparation(options)],
    ...(isRelay ? ([['/api/quote', quickQuote(options)]] as const) : []),
  ])
  return (incoming, outgoing) => {
    const { method = '', url = '' } = incoming
    const start = url.indexOf('?')
    if (method !== 'GET' || start === -1) return false
    const path = url.slice(0, start)
    const route = routes.get(path)
    if (route === undefined || isLate?.()) return false
    const startedAt = isWatched ? performance.now() : 0
    const answer = route(url.slice(start + 1))
    if (answer === undefined) return false
    const given = incoming.headers['x-request-id']
    const requestId = requestIdFrom(typeof given === 'string' ? given : undefined)
    const bytes = Buffer.byteLength(answer.text)
    outgoing.writeHead(200, {
      ...openHeaders,
      'content-type': 'application/json',
      'x-request-id': requestId,
      'cache-control': answer.cacheControl,
      'content-length': bytes,
    })
    // Where every sign is one byte, Node writes it in half the time when it knows.
    outgoing.end(answer.text, bytes === answer.text.length ? 'latin1' : 'utf8')
    if (!isWatched) return true
    const tookMs = performance.now() - startedAt
    metrics?.noteRequest({ method, route: path, status: 200, tookMs })
    if (isLogging) {
      const { traceparent } = incoming.headers
      const traceText = typeof traceparent === 'string' ? traceparent : undefined
      logger.info(lineOf({ requestId, traceparent: traceText, method, path, status: 200, tookMs }))
    }
    return true
  }
}
