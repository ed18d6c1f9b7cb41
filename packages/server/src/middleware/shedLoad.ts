import { ApiError } from '@sluice/api'
import type { Context } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import type { Callers } from '../http/callers.js'
import { retryAfter } from '../http/headers.js'
import { withWholeBody } from '../http/readBody.js'
import { type Limiter, ShedError, type ShedReason } from '../limits/Limiter.js'
import { answerError } from './handleErrors.js'
import type { Answer, Layer } from './Layer.js'

/**
 * Holds a slot for the work of a request, or refuses the request. Waits for the whole body first, so that slow senders
 * hold no slot. Applies only to operations that work; health and documents are never refused.
 */
export function shedLoad(options: {
  callers: Callers
  limiter: Limiter
  onShed: (reason: ShedReason) => void
}): Layer {
  const { callers, limiter, onShed } = options
  const work = (c: Context<AppEnv>, next: () => Answer, leave: () => void): Answer => {
    // The client may have disconnected while it waited, so there is nobody to answer.
    const isLeft = c.env?.outgoing?.destroyed === true
    try {
      const answer = isLeft ? new Response(null, { status: 499 }) : next()
      if (answer instanceof Promise) return answer.finally(leave)
      leave()
      return answer
    } catch (error) {
      leave()
      throw error
    }
  }
  const wait = async (c: Context<AppEnv>, next: () => Answer) => {
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
    return await work(c, next, leave)
  }
  return (c, next) => {
    // An MCP tool works within its caller's slot.
    if (c.env?.isInner) return next()
    const { method } = c.req
    if (method !== 'GET' && method !== 'HEAD') return wait(c, next)
    const incoming = c.env?.incoming
    const leave = limiter.tryEnter(callers.of(incoming), workKey(method, incoming?.url))
    return leave === undefined ? wait(c, next) : work(c, next, leave)
  }
}

/** Key of identical work; `undefined` if the work depends on a body. */
export function workKey(method: string | undefined, url: string | undefined): string | undefined {
  return method === 'GET' ? url : undefined
}

/** Created once, because collecting a stack trace is expensive. */
export const overloaded = new ApiError('overloaded', 'The service is busy. Retry in a second.')
