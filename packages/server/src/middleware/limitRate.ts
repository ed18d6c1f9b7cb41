import { ApiError, operationAt } from '@sluice/api'
import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import type { Callers } from '../http/callers.js'
import type { Allowance, Buckets } from '../limits/Buckets.js'
import { answerError } from './handleErrors.js'

export type RateOptions = {
  buckets: Buckets
  /** Points a second and the most that are saved up. */
  rate: number
  burst: number
}

/** Points of a path that is not an operation: a page, a document, or nothing. */
const otherPoints = 1

/** What a request pays when it enters. */
export function entryPoints(path: string): number {
  return operationAt(path)?.points ?? otherPoints
}

/**
 * A budget of points for each address. A request pays when it enters, and more once its body or query says what else it
 * wants, before that is done; what it did not cost after all, as a hit, is given back.
 */
export function limitRate(options: RateOptions & { callers: Callers }): MiddlewareHandler<AppEnv> {
  const { buckets, callers } = options
  return async (c, next) => {
    const entry = entryPoints(c.req.path)
    if (entry === 0 || c.req.method === 'OPTIONS') return next()
    const caller = callers.of(c.env?.incoming)
    // A tool was let in with the message that calls it.
    const isForced = c.env?.isInner === true
    const taken = await buckets.take(caller, entry, { isForced })
    if (!taken.isGranted) return answerError(c, rateLimited, limitHeaders(options, taken))
    let paid = entry
    // A full bucket lets one request through, and not all that a stream asks later.
    let isLetThrough = taken.wasFull
    c.set('charge', async (points) => {
      const more = await buckets.take(caller, points, {
        isForced: isForced || isLetThrough,
      })
      if (!more.isGranted) throw rateLimited
      paid += points
    })
    await next()
    isLetThrough = false
    const due = c.get('points') ?? paid
    const settled =
      due <= paid
        ? await buckets.give(caller, paid - due)
        : await buckets.take(caller, due - paid, { isForced: true })
    setHeaders(c, limitHeaders(options, settled))
    return undefined
  }
}

function setHeaders(c: Context<AppEnv>, { 'retry-after': wait, ...others }: LimitHeaders): void {
  for (const [name, value] of Object.entries(others)) c.res.headers.set(name, value)
  if (c.res.status === 429) c.res.headers.set('retry-after', wait)
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

/** Made once: an error's stack costs more than to give it. */
export const rateLimited = new ApiError(
  'rate_limited',
  'This address asks more often than is allowed here.',
)
