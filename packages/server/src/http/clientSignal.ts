import type { Context } from 'hono'
import type { AppEnv } from '../AppEnv.js'

/** Aborts when the client leaves before its answer is written. */
export function clientSignal(c: Context<AppEnv>): AbortSignal {
  const outgoing = c.env?.outgoing
  // Without Node below, the request itself knows; with it, asking the request would build a second, heavy one.
  if (outgoing === undefined) return c.req.raw.signal
  const controller = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort()
  })
  return controller.signal
}
