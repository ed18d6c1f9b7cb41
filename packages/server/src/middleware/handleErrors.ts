import { ApiError, encodeError } from '@sluice/api'
import { MarketDataError, QuoteError } from '@sluice/engine'
import type { Context } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { faultOf } from '../faultOf.js'
import { retryAfter } from '../http/headers.js'
import { respond } from '../http/respond.js'
import type { Logger } from '../logger.js'
import type { LogThrottle } from '../logs/throttleLog.js'
import type { Metrics } from '../metrics/createMetrics.js'
import type { Answer } from './Layer.js'

/** Converts any error to one that a caller may see. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof QuoteError)
    return new ApiError(error.code, error.message, { details: detailsOf(error) })
  if (error instanceof MarketDataError)
    return new ApiError(error.isLasting ? 'market_required' : 'rpc_unreachable', error.message)
  return new ApiError('internal', 'The service failed. Quote the request id if you report it.')
}

/** Returns the details of an error; `undefined` if there are none. */
export function detailsOf(error: Pick<QuoteError, 'details'>): QuoteError['details'] | undefined {
  return error.details.length === 0 ? undefined : error.details
}

export function answerError(
  c: Context<AppEnv>,
  error: ApiError,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  c.set('refusal', error.code)
  return respond(c, encodeError(error, c.get('requestId')), {
    status: error.status,
    headers: { 'cache-control': 'no-store', ...headers },
  })
}

/** Converts errors to responses. Logs internal errors without their messages. */
export function handleErrors(options: {
  logger: Logger
  metrics?: Metrics | undefined
  throttle: LogThrottle
}): (error: unknown, c: Context<AppEnv>) => Answer {
  const { logger, metrics, throttle } = options
  return (error, c) => {
    const answer = toApiError(error)
    if (answer.code === 'overloaded') {
      metrics?.noteShed('flights')
      return answerError(c, answer, retryAfter)
    }
    // If the client disconnected, its request was aborted. That is not a fault.
    const isGone = error instanceof Error && error.name === 'AbortError'
    if (answer.code === 'internal' && !isGone) {
      const fault = faultOf(error)
      const line = { requestId: c.get('requestId'), ...fault }
      throttle.write(`fault ${fault.name} ${fault.stack}`, (more) =>
        logger.error({ ...line, ...more }, 'fault'),
      )
    }
    return answerError(c, answer)
  }
}
