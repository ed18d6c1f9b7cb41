import type { Handler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { documentOf, respondDocument } from '../http/respondDocument.js'
import type { Assets } from '../pages/Assets.js'
import { favicon } from '../pages/layout.js'

/** Handlers of the pages' scripts and icon, by path. The content of a script path never changes. */
export function assetRoutes({ files }: Assets): Record<string, Handler<AppEnv>> {
  const scripts = [...files].map(([path, text]): [string, Handler<AppEnv>] => {
    const script = documentOf(text, 'text/javascript; charset=utf-8')
    return [path, (c) => respondDocument(c, script, { isImmutable: true })]
  })
  const picture = documentOf(favicon, 'image/svg+xml')
  return { ...Object.fromEntries(scripts), '/favicon.svg': (c) => respondDocument(c, picture) }
}
