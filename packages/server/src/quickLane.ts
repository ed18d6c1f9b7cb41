import type { IncomingMessage } from 'node:http'
import { compress, encodingFor, smallBytes } from './http/compress.js'
import type { ShortWay } from './http/createHttpServer.js'
import { openHeaders } from './http/headers.js'
import type { QuickRoute } from './http/QuickAnswer.js'
import { requestIdFrom } from './http/requestId.js'
import type { NoteRequest } from './logs/noteRequests.js'
import type { Metrics } from './metrics/createMetrics.js'
import { type PrepareRouteOptions, quickPrepare } from './routes/prepare.js'
import { type QuoteRouteOptions, quickQuote } from './routes/quote.js'

export type QuickLaneOptions = PrepareRouteOptions &
  Pick<QuoteRouteOptions, 'metrics' | 'quoteTexts'> & {
    isRelay: boolean
    noteRequest: NoteRequest | undefined
    rateLimit?: unknown
  }

/** By twos: to spread objects into another for each answer costs more than to write it. */
const steadyHeaders = Object.entries({
  ...openHeaders,
  'content-type': 'application/json',
}).flat()

/**
 * The way past the app for what it would only carry from its URL to its answer, which costs twice as much as the answer.
 *
 * A request takes it where all of this holds, and is the app's in every other case, errors among them:
 * - it is a GET of `/api/quote/prepare` or, unless the relay is retired, of `/api/quote`, with a query;
 * - it is small, or its caller takes it as it is;
 * - the route knows the answer from the query alone: a plain prepared call, a quote that is known for the latest block;
 * - callers have no limits, which are the app's to count.
 *
 * The app asks the same routes first, so both give the same answer; a test holds the two to each other.
 *
 * @returns Whether the request was answered.
 */
export function createQuickLane(options: QuickLaneOptions): ShortWay {
  const { isRelay, metrics, noteRequest, rateLimit } = options
  if (rateLimit !== undefined) return () => false
  const routes = new Map<string, QuickRoute>([['/api/quote/prepare', quickPrepare(options)]])
  if (isRelay) routes.set('/api/quote', quickQuote(options))
  const note = noteWith(noteRequest, metrics)
  return (incoming, outgoing) => {
    const { method, url = '' } = incoming
    const start = url.indexOf('?')
    if (method !== 'GET' || start === -1) return false
    const path = url.slice(0, start)
    const route = routes.get(path)
    if (route === undefined) return false
    const startedAt = note && performance.now()
    const answer = route(url.slice(start + 1))
    if (answer === undefined) return false
    const { bytes, cacheControl, text } = answer
    const encoding = encodingFor(`${incoming.headers['accept-encoding'] ?? ''}`)
    // That is done in another thread, for which the app waits.
    if (encoding !== undefined && bytes > smallBytes) return false
    const compressed = compress(text, encoding)
    const given = incoming.headers['x-request-id']
    const requestId = requestIdFrom(typeof given === 'string' ? given : undefined)
    const own = ['x-request-id', requestId, 'cache-control', cacheControl]
    if (compressed instanceof Buffer) {
      own.push('content-encoding', encoding!, 'content-length', `${compressed.length}`)
      outgoing.writeHead(200, steadyHeaders.concat(own)).end(compressed)
    } else {
      outgoing.writeHead(200, steadyHeaders.concat(own, 'content-length', `${bytes}`))
      // Where every sign is one byte, Node writes it in half the time when it knows.
      outgoing.end(text, bytes === text.length ? 'latin1' : 'utf8')
    }
    note?.(incoming, { path, requestId, tookMs: performance.now() - startedAt! })
    return true
  }
}

type Note = (
  incoming: IncomingMessage,
  answered: { path: string; requestId: string; tookMs: number },
) => void

/** Tells the log and the metrics of an answer, as the middleware does; `undefined` where neither is kept. */
function noteWith(
  noteRequest: NoteRequest | undefined,
  metrics: Metrics | undefined,
): Note | undefined {
  if (noteRequest === undefined && metrics === undefined) return undefined
  const [method, status] = ['GET', 200]
  return (incoming, { path, requestId, tookMs }) => {
    metrics?.noteRequest({ method, route: path, status, tookMs })
    if (noteRequest === undefined) return
    const given = incoming.headers['traceparent']
    const traceparent = typeof given === 'string' ? given : undefined
    noteRequest({ incoming, requestId, traceparent, method, path, status, tookMs })
  }
}
