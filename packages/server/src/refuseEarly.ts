import type { IncomingMessage } from 'node:http'
import type { ApiError } from '@sluice/api'
import type { Callers } from './http/callers.js'
import type { ShortWay } from './http/createHttpServer.js'
import { retryAfter } from './http/headers.js'
import { refuse } from './http/rawAnswer.js'
import type { Limiter } from './limits/Limiter.js'
import type { NoteRequest } from './logs/noteRequests.js'
import type { Metrics } from './metrics/createMetrics.js'
import { entryPoints, limitHeaders, type RateOptions, rateLimited } from './middleware/limitRate.js'
import { isWork, overloaded, workKey } from './middleware/shedLoad.js'

type Refusal = { readonly error: ApiError; readonly headers: Readonly<Record<string, string>> }

export type RefuseEarlyOptions = {
  callers: Callers
  limiter: Limiter
  metrics?: Metrics | undefined
  noteRequest: NoteRequest | undefined
  rateLimit?: RateOptions | undefined
}

/**
 * Refuses what the app would refuse, without going through the app: to turn a request away must cost far less than to
 * answer it. Only what is certain; the app decides on the rest.
 */
export function createRefuseEarly(options: RefuseEarlyOptions): ShortWay {
  const { metrics, noteRequest } = options
  return (incoming, outgoing) => {
    const { method = '', url = '' } = incoming
    const [path = ''] = url.split('?', 1)
    const refusal = refusalOf(options, incoming, path)
    if (refusal === undefined) return false
    const { error, headers } = refusal
    const requestId = refuse(outgoing, error, headers)
    if (error.code === 'overloaded') metrics?.noteShed('queue_full')
    metrics?.noteRefusal(error.code)
    const { status } = error
    noteRequest?.({ incoming, method, path, requestId, status, tookMs: 0, traceparent: undefined })
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
  if (!isWork(path) || incoming.method === 'OPTIONS') return undefined
  if (!limiter.isFull(callers.of(incoming), workKey(incoming.method, incoming.url)))
    return undefined
  return { error: overloaded, headers: retryAfter }
}
