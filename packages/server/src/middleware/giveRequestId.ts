import { requestIdFrom } from '../http/requestId.js'
import type { Layer } from './Layer.js'

/** Sets the request id that the response and the log line contain. */
export const giveRequestId: Layer = (c, next) => {
  const incoming = c.env?.incoming
  // Reading the header through the request would build an object of all headers, which takes longer than a cached
  // response.
  const given = incoming ? incoming.headers['x-request-id'] : c.req.header('x-request-id')
  c.set('requestId', requestIdFrom(typeof given === 'string' ? given : undefined))
  return next()
}
