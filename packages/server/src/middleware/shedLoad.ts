import { ApiError } from '@sluice/api'
import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import type { Callers } from '../http/callers.js'
import { retryAfter } from '../http/headers.js'
import { withWholeBody } from '../http/readBody.js'
import { type Limiter, ShedError, type ShedReason } from '../limits/Limiter.js'
import { answerError } from './handleErrors.js'

/**
 * Holds a slot for the work of a request, or refuses the request. Waits for the whole body first, so that slow senders
 * hold no slot. Applies only to operations that work; health and documents are never refused.
 */
export function shedLoad(options: {
  callers: Callers
  limiter: Limiter
  onShed: (reason: ShedReason) => void
}): MiddlewareHandler<AppEnv> {
  const { callers, limiter, onShed } = options
  return async (c, next) => {
    // An MCP tool works within its caller's slot.
    if (c.env?.isInner) return next()
    const incoming = c.env?.incoming
    c.req.raw = await withWholeBody(c.req.raw)
    let leave: () => void
    try {
      leave = await limiter.enter(callers.of(incoming), workKey(c.req.method, incoming?.url))
    } catch (error) {
      if (!(error instanceof ShedError)) throw error
      onShed(error.reason)
      return answerError(c, overloaded, retryAfter)
    }
    try {
      // The client disconnected while it waited, so there is nobody to answer.
      if (c.env?.outgoing?.destroyed) return new Response(null, { status: 499 })
      await next()
    } finally {
      leave()
    }
    return undefined
  }
}

/** Key of identical work; `undefined` if the work depends on a body. */
export function workKey(method: string | undefined, url: string | undefined): string | undefined {
  return method === 'GET' ? url : undefined
}

/** Created once, because collecting a stack trace is expensive. */
export const overloaded = new ApiError('overloaded', 'The service is busy. Retry in a second.')
