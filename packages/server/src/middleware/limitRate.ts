import { ApiError, operationAt } from '@sluice/api'
import type { Callers } from '../http/callers.js'
import type { Allowance, Buckets } from '../limits/Buckets.js'
import { answerError } from './handleErrors.js'
import type { Layer } from './Layer.js'

export type RateOptions = {
  buckets: Buckets
  /** Points per second, and the maximum saved up. */
  rate: number
  burst: number
}

/** Cost of a path that is not an operation: a page, a document, or an unknown path. */
const otherPoints = 1

/** Cost of a request when it enters, in points. */
export function entryPoints(path: string): number {
  return operationAt(path)?.points ?? otherPoints
}

/**
 * Limits the points that each address can spend. A request is charged when it enters, and again before further work
 * that its body or query asks for. Points for work that was not needed, as with a cache hit, are returned.
 */
export function limitRate(options: RateOptions & { callers: Callers }): Layer {
  const { buckets, callers } = options
  return async (c, next) => {
    const entry = entryPoints(c.req.path)
    if (entry === 0 || c.req.method === 'OPTIONS') return next()
    const caller = callers.of(c.env?.incoming)
    // An MCP tool call was admitted with the message that contains it.
    const isForced = c.env?.isInner === true
    const taken = await buckets.take(caller, entry, { isForced })
    if (!taken.isGranted) return answerError(c, rateLimited, limitHeaders(options, taken))
    let paid = entry
    // A full bucket admits one request, but not all later quotes of its stream.
    let isLetThrough = taken.wasFull
    c.set('charge', async (points) => {
      const more = await buckets.take(caller, points, {
        isForced: isForced || isLetThrough,
      })
      if (!more.isGranted) throw rateLimited
      paid += points
    })
    const response = await next()
    isLetThrough = false
    const due = c.get('points') ?? paid
    const settled =
      due <= paid
        ? await buckets.give(caller, paid - due)
        : await buckets.take(caller, due - paid, { isForced: true })
    setHeaders(response, limitHeaders(options, settled))
    return response
  }
}

function setHeaders(
  { headers, status }: Response,
  { 'retry-after': wait, ...others }: LimitHeaders,
): void {
  for (const [name, value] of Object.entries(others)) headers.set(name, value)
  if (status === 429) headers.set('retry-after', wait)
}

type LimitHeaders = Record<'retry-after' | 'ratelimit' | 'ratelimit-policy', string>

export function limitHeaders(
  { burst, rate }: Pick<RateOptions, 'burst' | 'rate'>,
  { left, resetSec, waitSec }: Allowance,
): LimitHeaders {
  return {
    'retry-after': `${waitSec}`,
    'ratelimit-policy': `"default";q=${burst};w=${Math.ceil(burst / rate)}`,
    ratelimit: `"default";r=${Math.max(0, Math.floor(left))};t=${resetSec}`,
  }
}

/** Created once, because collecting a stack trace is expensive. */
export const rateLimited = new ApiError(
  'rate_limited',
  'This address has too few points left for this request. Retry later.',
)
