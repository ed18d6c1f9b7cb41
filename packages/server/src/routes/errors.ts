import { docsPath } from '@sluice/api'
import type { Handler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { type Document, documentOf, respondDocument } from '../http/respondDocument.js'
import { errorPage, errorsPage, errorText, names } from '../pages/errors.js'
import { type layout, pageHeaders } from '../pages/layout.js'
import { refuseQuery } from './refuseQuery.js'

/** The pages that the `docs` member of errors leads to, each as HTML and, with `.md` behind it, as Markdown. */
export function errorRoutes(
  options: Pick<layout.Page, 'assets' | 'isServed'>,
): Record<string, Handler<AppEnv>> {
  const pages = names.flatMap((code): [string, Handler<AppEnv>][] => [
    [docsPath(code), page(() => errorPage(code, options))],
    [`${docsPath(code)}.md`, plain(() => documentOf(errorText(code), markdown))],
  ])
  return { '/errors': page(() => errorsPage(options)), ...Object.fromEntries(pages) }
}

const markdown = 'text/markdown; charset=utf-8'

function page(make: () => string): Handler<AppEnv> {
  return plain(() => ({ ...documentOf(make()), headers: pageHeaders }))
}

/** Made when it is first asked for, since it links to what is served then. */
function plain(make: () => Document): Handler<AppEnv> {
  let made: Document | undefined
  return (c) => {
    refuseQuery(c.req.url)
    made ??= make()
    return respondDocument(c, made)
  }
}
