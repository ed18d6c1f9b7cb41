import type { Context } from 'hono'
import type { AppEnv } from '../AppEnv.js'

/** Returns a signal that aborts if the client disconnects before its response is written. */
export function clientSignal(c: Context<AppEnv>): AbortSignal {
  const outgoing = c.env?.outgoing
  // Without the Node adapter, use the request's own signal. With it, that signal would create a second, expensive
  // request object.
  if (outgoing === undefined) return c.req.raw.signal
  const controller = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort()
  })
  return controller.signal
}
