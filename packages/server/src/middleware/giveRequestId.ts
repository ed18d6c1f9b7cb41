import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { requestIdFrom } from '../http/requestId.js'

/** Gives every request the id that its answer and its log line carry. */
export const giveRequestId: MiddlewareHandler<AppEnv> = (c, next) => {
  const incoming = c.env?.incoming
  // Asking the request would build an object of all its headers, which costs more than a hit's answer.
  const given = incoming ? incoming.headers['x-request-id'] : c.req.header('x-request-id')
  c.set('requestId', requestIdFrom(typeof given === 'string' ? given : undefined))
  return next()
}
