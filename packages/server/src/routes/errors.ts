import { docsPath } from '@sluice/api'
import type { Handler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { type Document, documentOf, respondDocument } from '../http/respondDocument.js'
import { errorPage, errorsPage, errorText, names } from '../pages/errors.js'
import { type layout, pageHeaders } from '../pages/layout.js'
import { revertsPage, revertsPath, revertsText } from '../pages/reverts.js'
import { refuseQuery } from './refuseQuery.js'

/** The pages that the `docs` member of errors leads to, each as HTML and, with `.md` behind it, as Markdown. */
export function errorRoutes(
  options: Pick<layout.Page, 'assets' | 'isServed'>,
): Record<string, Handler<AppEnv>> {
  const pages = names.flatMap((code): [string, Handler<AppEnv>][] => [
    [docsPath(code), page(() => errorPage(code, options))],
    [`${docsPath(code)}.md`, plain(() => documentOf(errorText(code), markdown))],
  ])
  return {
    '/errors': page(() => errorsPage(options)),
    [revertsPath]: page(() => revertsPage(options)),
    [`${revertsPath}.md`]: plain(() => documentOf(revertsText(), markdown)),
    ...Object.fromEntries(pages),
  }
}

const markdown = 'text/markdown; charset=utf-8'

/** Links from elsewhere come with parameters of their own, which pages ignore. */
function page(make: () => string): Handler<AppEnv> {
  const document = once(() => ({ ...documentOf(make()), headers: pageHeaders }))
  return (c) => respondDocument(c, document())
}

function plain(make: () => Document): Handler<AppEnv> {
  const document = once(make)
  return (c) => {
    refuseQuery(c.req.url)
    return respondDocument(c, document())
  }
}

/** Made when it is first asked for, since it links to what is served then. */
function once(make: () => Document): () => Document {
  let made: Document | undefined
  return () => {
    made ??= make()
    return made
  }
}
