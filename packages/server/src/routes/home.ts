import type { Site } from '@sluice/api'
import type { Registry } from '@sluice/domain'
import type { Context, Handler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { openHeaders } from '../http/headers.js'
import { respond } from '../http/respond.js'
import { homePage } from '../pages/home.js'
import { type layout, scriptedPageHeaders } from '../pages/layout.js'
import { service, version } from './health.js'

export type HomeRouteOptions = Pick<layout.Page, 'assets' | 'isServed'> & {
  registry: Registry.Registry
  /** Known once the service listens. */
  site: () => Site
}

/** GET /: the page for browsers, and for programs where to go on. */
export function getHome(options: HomeRouteOptions): Handler<AppEnv> {
  let page: string | undefined
  return (c) => {
    if (!(c.req.header('accept') ?? '').includes('text/html')) return pointer(c)
    page ??= homePage(options.registry, { ...options, url: options.site().url })
    const headers = {
      ...openHeaders,
      ...scriptedPageHeaders,
      'cache-control': 'no-cache',
      vary: 'accept',
    }
    return new Response(page, { headers: { ...headers, 'x-request-id': c.get('requestId') } })
  }
}

function pointer(c: Context<AppEnv>) {
  const body = {
    ok: true,
    name: 'Sluice',
    service,
    version,
    index: '/api',
    guide: '/llms.txt',
    openapi: '/api/openapi.json',
  }
  return respond(c, body, { headers: { vary: 'accept' } })
}
