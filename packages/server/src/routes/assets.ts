import { ApiError } from '@sluice/api'
import { type ListedToken, logoFolder } from '@sluice/engine'
import { documentOf, respondDocument } from '../http/respondDocument.js'
import type { Run } from '../middleware/Layer.js'
import type { Assets } from '../pages/Assets.js'
import { favicon } from '../pages/layout.js'

/** Handlers of the pages' scripts and icon, by path. The content of a script path never changes. */
export function assetRoutes({ files }: Assets): Record<string, Run> {
  const scripts = [...files].map(([path, text]): [string, Run] => {
    const script = documentOf(text, 'text/javascript; charset=utf-8')
    return [path, (c) => respondDocument(c, script, { isImmutable: true })]
  })
  const picture = documentOf(favicon, 'image/svg+xml')
  return { ...Object.fromEntries(scripts), '/favicon.svg': (c) => respondDocument(c, picture) }
}

/** Handler of the pictures of token lists, whose names are digests of their content. */
export function logoRoutes(tokenLists: readonly ListedToken[]): Record<string, Run> {
  const logos = new Map(tokenLists.flatMap(({ logo }) => (logo ? [[logo.path, logo]] : [])))
  return {
    [`${logoFolder}:name`]: (c) => {
      const logo = logos.get(c.req.path)
      if (logo === undefined) throw new ApiError('not_found', 'There is no such picture.')
      return respondDocument(c, documentOf(logo.bytes, logo.type), { isImmutable: true })
    },
  }
}
