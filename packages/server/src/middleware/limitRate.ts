import { ApiError } from '@sluice/api'
import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { clientAddress, type TrustedProxies } from '../http/clientAddress.js'
import type { Buckets } from '../limits/Buckets.js'
import { answerError } from './handleErrors.js'

export type RateOptions = {
  buckets: Buckets
  /** Points a second and the most that are saved up. */
  rate: number
  burst: number
  trustedProxies: TrustedProxies
}

/** What an answer costs, by what it makes nodes do. */
const pointsByPath: Readonly<Record<string, number>> = {
  '/api/health': 0,
  '/api/quote': 5,
  '/api/quote/route.svg': 5,
  '/api/quote/stream': 5,
  '/api/quote/batch': 5,
  '/api/xray': 10,
  // Listing the tools is ten milliseconds of work; what a tool asks is charged beside it.
  '/mcp': 5,
}
const otherPoints = 1

/**
 * A budget of points for each address. A request enters while any are left and pays what it turned out to cost, so a hit
 * is cheap and nobody has to guess before.
 */
export function limitRate(options: RateOptions): MiddlewareHandler<AppEnv> {
  const { buckets, burst, rate, trustedProxies } = options
  const policy = `"default";q=${burst};w=${Math.ceil(burst / rate)}`
  return async (c, next) => {
    const usual = pointsByPath[c.req.path] ?? otherPoints
    if (usual === 0) return next()
    const caller = clientAddress(c, trustedProxies)
    const before = await buckets.take(caller, 0)
    if (before.left <= 0) {
      const seconds = Math.max(1, Math.ceil((1 - before.left) / rate))
      return answerError(c, limited(), {
        'retry-after': `${seconds}`,
        'ratelimit-policy': policy,
        ratelimit: `"default";r=0;t=${before.resetSec}`,
      })
    }
    c.set('charge', async (points) => {
      const { left } = await buckets.take(caller, points)
      if (left <= 0) throw limited()
    })
    await next()
    const { left, resetSec } = await buckets.take(caller, c.get('points') ?? usual)
    c.res.headers.set('ratelimit-policy', policy)
    c.res.headers.set('ratelimit', `"default";r=${Math.max(0, Math.floor(left))};t=${resetSec}`)
    return undefined
  }
}

function limited(): ApiError {
  return new ApiError('rate_limited', 'This address asks more often than is allowed here.')
}
