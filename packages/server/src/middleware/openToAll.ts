import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { openHeaders } from '../http/headers.js'
import { requestIdFrom } from '../http/requestId.js'

/** Gives every answer its request id and open CORS. */
export const openToAll: MiddlewareHandler<AppEnv> = async (c, next) => {
  const requestId = requestIdFrom(c.req.header('x-request-id'))
  c.set('requestId', requestId)
  c.header('x-request-id', requestId)
  for (const [name, value] of Object.entries(openHeaders)) c.header(name, value)
  await next()
}
