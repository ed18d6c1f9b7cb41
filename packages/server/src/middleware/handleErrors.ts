import { ApiError, encodeError } from '@sluice/api'
import { QuoteError } from '@sluice/engine'
import type { Context, ErrorHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppEnv } from '../AppEnv.js'
import type { Logger } from '../logger.js'

/** The error that a caller may see in place of any other. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof QuoteError) return new ApiError(error.code, error.message)
  return new ApiError('internal', 'The service has a fault of its own; the request id names it.')
}

export function answerError(c: Context<AppEnv>, error: ApiError): Response {
  c.header('cache-control', 'no-store')
  return c.json(encodeError(error, c.get('requestId')), error.status as ContentfulStatusCode)
}

/** Turns whatever was thrown into the error object; our own faults are logged, without the words of others. */
export function handleErrors({ logger }: { logger: Logger }): ErrorHandler<AppEnv> {
  return (error, c) => {
    const answer = toApiError(error)
    const isGone = c.req.raw.signal.aborted
    if (answer.code === 'internal' && !isGone)
      logger.error({ requestId: c.get('requestId'), name: error.name, stack: error.stack }, 'fault')
    return answerError(c, answer)
  }
}
