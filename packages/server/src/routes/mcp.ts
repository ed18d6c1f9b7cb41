import { AsyncLocalStorage } from 'node:async_hooks'
import { operationAt, type Site } from '@sluice/api'
import { Endpoints } from '@sluice/domain'
import { createFetch } from '@sluice/mcp'
import { createClient } from '@sluice/sdk'
import type { Context, Hono } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { compress } from '../http/compress.js'
import { encodingOf } from '../http/respond.js'
import { answerError, toApiError } from '../middleware/handleErrors.js'
import type { Run } from '../middleware/Layer.js'
import { chargeMiss } from './pointsOf.js'

/** Cost of each message in a body, in points. Its tool may cost more. */
const messagePoints = operationAt(Endpoints.all.postMcp.path)!.points

/**
 * ALL /mcp: the service's own endpoints as tools, called within this process. A tool's requests count against the
 * limits of its caller.
 */
export function serveMcp(options: serveMcp.Options): Run {
  const callers = new AsyncLocalStorage<Context<AppEnv>>()
  const askInside: typeof globalThis.fetch = async (url, init) => {
    const inside = String(url).replace(options.site().url, 'http://localhost')
    const env = callers.getStore()?.env
    return await options.fetch(new Request(inside, init), { ...env, isInner: true })
  }
  const admit = async (messages: number) => {
    const c = callers.getStore()!
    try {
      await chargeMiss(c, messages * messagePoints)
      return undefined
    } catch (error) {
      return answerError(c, toApiError(error))
    }
  }
  // Created at the first request, because links in responses need the public URL, which is known by then.
  let fetch: ReturnType<typeof createFetch> | undefined
  const open = () => {
    const { url } = options.site()
    const client = createClient({ baseUrl: url, retry: false, fetch: askInside })
    return createFetch({ client, admit, hostnames: () => [new URL(url).hostname] })
  }
  return async (c) => {
    fetch ??= open()
    const ask = fetch
    const answer = await callers.run(c, () => ask(c.req.raw))
    const headers = new Headers(answer.headers)
    headers.set('x-request-id', c.get('requestId'))
    headers.set('x-content-type-options', 'nosniff')
    headers.set('vary', 'accept-encoding')
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
    const { status } = answer
    if (!headers.get('content-type')?.startsWith('application/json'))
      return new Response(answer.body, { status, headers })
    const text = await answer.text()
    const encoding = encodingOf(c)
    const compressed = await compress(text, encoding)
    headers.delete('content-length')
    if (compressed !== undefined) headers.set('content-encoding', encoding!)
    return new Response((compressed as Uint8Array<ArrayBuffer>) ?? text, { status, headers })
  }
}

export declare namespace serveMcp {
  type Options = {
    /** Available once the service listens. */
    site: () => Site
    /** Calls the service itself without a port. */
    fetch: Hono<AppEnv>['fetch']
  }
}
