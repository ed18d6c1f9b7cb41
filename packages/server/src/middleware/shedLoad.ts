import { ApiError } from '@sluice/api'
import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { retryAfter } from '../http/headers.js'
import { answerError } from './handleErrors.js'

/**
 * Turns work away while the process is late with what it has. Only what makes work: health, the manifest and the other
 * documents are never refused.
 */
export function shedLoad(options: {
  isLate: () => boolean
  onShed: (reason: 'loop_delay') => void
}): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    if (!options.isLate()) return next()
    options.onShed('loop_delay')
    const error = new ApiError(
      'overloaded',
      'The service is behind with its work; ask again in a second.',
    )
    return Promise.resolve(answerError(c, error, retryAfter))
  }
}
