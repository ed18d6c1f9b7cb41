import type { Site } from '@sluice/api'
import { createFetch } from '@sluice/mcp'
import { createClient } from '@sluice/sdk'
import type { Handler, Hono } from 'hono'
import type { AppEnv } from '../AppEnv.js'

/** ALL /mcp: the service's own endpoints as tools, asked in this process. */
export function serveMcp(app: Hono<AppEnv>, options: { site: () => Site }): Handler<AppEnv> {
  const client = createClient({
    baseUrl: 'http://localhost',
    retry: false,
    fetch: async (url, init) => await app.fetch(new Request(url, init)),
  })
  const fetch = createFetch({ client, hostnames: () => [new URL(options.site().url).hostname] })
  return (c) => fetch(c.req.raw)
}
