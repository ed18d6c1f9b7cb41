import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { requestIdFrom } from '../http/requestId.js'

/** Gives every request the id that its answer and its log line carry. */
export const giveRequestId: MiddlewareHandler<AppEnv> = (c, next) => {
  c.set('requestId', requestIdFrom(c.req.header('x-request-id')))
  return next()
}
