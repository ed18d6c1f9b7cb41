import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { requestIdFrom } from '../http/requestId.js'

/** Sets the request id that the response and the log line contain. */
export const giveRequestId: MiddlewareHandler<AppEnv> = (c, next) => {
  const incoming = c.env?.incoming
  // Reading the header through the request would build an object of all headers, which takes longer than a cached
  // response.
  const given = incoming ? incoming.headers['x-request-id'] : c.req.header('x-request-id')
  c.set('requestId', requestIdFrom(typeof given === 'string' ? given : undefined))
  return next()
}
