import type { Site } from '@sluice/api'
import type { Context } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { respond } from '../http/respond.js'
import { type Document, documentOf, respondDocument } from '../http/respondDocument.js'
import type { Run } from '../middleware/Layer.js'
import { homePage } from '../pages/home.js'
import { homePageHeaders, type layout } from '../pages/layout.js'
import { type PageDataOptions, pageData } from '../pages/pageData.js'
import { service, version } from './health.js'

export type HomeRouteOptions = Pick<layout.Page, 'assets' | 'isServed'> &
  PageDataOptions & {
    /** Known once the service listens. */
    site: () => Site
  }

const varies = 'accept, accept-encoding'

/** GET /: a page for browsers, and an index for programs. */
export function getHome(options: HomeRouteOptions): Run {
  let page: Document | undefined
  return (c) => {
    if (!(c.req.header('accept') ?? '').includes('text/html')) return pointer(c)
    page ??= {
      ...documentOf(homePage(options.site(), options)),
      headers: { ...homePageHeaders, vary: varies },
    }
    return respondDocument(c, page, { cacheControl: 'no-cache' })
  }
}

/** GET /page.json: what the page starts from. */
export function getPageData(options: HomeRouteOptions): Run {
  let data: Document | undefined
  return (c) => {
    data ??= documentOf(pageData(options, options.site()))
    return respondDocument(c, data, { cacheControl: 'no-cache' })
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
  return respond(c, body, { headers: { vary: varies } })
}
