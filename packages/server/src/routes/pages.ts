import { encodeStats, type Site } from '@sluice/api'
import type { Engine } from '@sluice/engine'
import { respondText } from '../http/respond.js'
import { type Document, documentOf, respondDocument } from '../http/respondDocument.js'
import type { Run } from '../middleware/Layer.js'
import { type layout, pageHeaders } from '../pages/layout.js'
import { llms } from '../pages/llms.js'
import { guidePage, referencePage } from '../pages/reference.js'
import { statsPage } from '../pages/stats.js'

export type PageRouteOptions = Pick<layout.Page, 'assets' | 'isServed'> & {
  engine: Pick<Engine, 'stats'>
  /** Available once the service listens. */
  site: () => Site
}

/** Pages for people, by path. Links from elsewhere come with parameters of their own, which pages ignore. */
export function pageRoutes(options: PageRouteOptions): Record<string, Run> {
  return {
    '/api-reference': page(() => referencePage(options)),
    '/guide': page(() => guidePage(llms(options.site()), options.site(), options)),
    '/stats': async (c) => {
      const text = statsPage(encodeStats(await options.engine.stats()), options)
      return respondText(c, text, {
        headers: { ...pageHeaders, 'cache-control': 'public, max-age=5' },
      })
    },
  }
}

/** Made at the first request, because it links to what is served then. */
function page(make: () => string): Run {
  let made: Document | undefined
  return (c) => {
    made ??= { ...documentOf(make()), headers: pageHeaders }
    return respondDocument(c, made)
  }
}
