import { ApiError } from '@sluice/api'
import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import type { Callers } from '../http/callers.js'
import { retryAfter } from '../http/headers.js'
import { withWholeBody } from '../http/readBody.js'
import { type Limiter, ShedError, type ShedReason } from '../limits/Limiter.js'
import { answerError } from './handleErrors.js'

/**
 * Holds a slot for the work of a request, or turns the request away. A body must have arrived first, so that slow senders hold
 * no slot. Only what makes work: health, the manifest and the other documents are never refused.
 */
export function shedLoad(options: {
  callers: Callers
  limiter: Limiter
  onShed: (reason: ShedReason) => void
}): MiddlewareHandler<AppEnv> {
  const { callers, limiter, onShed } = options
  return async (c, next) => {
    // A tool works within the slot of whoever called it.
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
      // Nobody waits for the answer of a client that left while it waited.
      if (c.env?.outgoing?.destroyed) return new Response(null, { status: 499 })
      await next()
    } finally {
      leave()
    }
    return undefined
  }
}

/** What names the same work; `undefined` if a body says what is asked. */
export function workKey(method: string | undefined, url: string | undefined): string | undefined {
  return method === 'GET' ? url : undefined
}

/** Made once: an error's stack costs more than to give it. */
export const overloaded = new ApiError('overloaded', 'The service is busy; ask again in a second.')
