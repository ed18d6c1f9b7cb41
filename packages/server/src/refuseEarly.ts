import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ApiError, operationAt } from '@sluice/api'
import type { Callers } from './http/callers.js'
import type { ShortWay } from './http/createHttpServer.js'
import { retryAfter } from './http/headers.js'
import { refuse } from './http/rawAnswer.js'
import type { Limiter } from './limits/Limiter.js'
import type { NoteRequest } from './logs/noteRequests.js'
import type { Metrics } from './metrics/createMetrics.js'
import { entryPoints, limitHeaders, type RateOptions, rateLimited } from './middleware/limitRate.js'
import { overloaded, workKey } from './middleware/shedLoad.js'

/**
 * Delay of a refusal in milliseconds. Otherwise a caller who retries at once would send thousands of requests a second,
 * and refusing them would take the time of useful work.
 */
const holdMs = 20

type Refusal = { readonly error: ApiError; readonly headers: Readonly<Record<string, string>> }

export type RefuseEarlyOptions = {
  callers: Callers
  limiter: Limiter
  metrics?: Metrics | undefined
  noteRequest: NoteRequest | undefined
  rateLimit?: RateOptions | undefined
}

/**
 * Refuses requests that the app would certainly refuse, without running the app: a refusal must cost far less than an
 * answer. The app decides about all others.
 */
export function createRefuseEarly(options: RefuseEarlyOptions): ShortWay {
  const { metrics, noteRequest } = options
  const answer = (
    { error, headers }: Refusal,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    path: string,
  ) => {
    if (outgoing.destroyed) return
    const requestId = refuse(outgoing, error, headers)
    const { method = '' } = incoming
    const { status } = error
    noteRequest?.({
      incoming,
      method,
      path,
      requestId,
      status,
      tookMs: holdMs,
      traceparent: undefined,
    })
  }
  return (incoming, outgoing) => {
    const { url = '' } = incoming
    const [path = ''] = url.split('?', 1)
    const refusal = refusalOf(options, incoming, path)
    if (refusal === undefined) return false
    if (refusal.error.code === 'overloaded') metrics?.noteShed('queue_full')
    metrics?.noteRefusal(refusal.error.code)
    setTimeout(answer, holdMs, refusal, incoming, outgoing, path)
    return true
  }
}

function refusalOf(
  { callers, limiter, rateLimit }: RefuseEarlyOptions,
  incoming: IncomingMessage,
  path: string,
): Refusal | undefined {
  const points = rateLimit === undefined || incoming.method === 'OPTIONS' ? 0 : entryPoints(path)
  if (points > 0) {
    const short = rateLimit!.buckets.refusalOf(callers.of(incoming), points)
    if (short !== undefined) return { error: rateLimited, headers: limitHeaders(rateLimit!, short) }
  }
  if (!operationAt(path)?.isWork || incoming.method === 'OPTIONS') return undefined
  if (!limiter.isFull(callers.of(incoming), workKey(incoming.method, incoming.url)))
    return undefined
  return { error: overloaded, headers: retryAfter }
}
