import { docsPath } from '@sluice/api'
import { type Document, documentOf, respondDocument } from '../http/respondDocument.js'
import type { Run } from '../middleware/Layer.js'
import { errorPage, errorsPage, errorText, names } from '../pages/errors.js'
import { type layout, pageHeaders } from '../pages/layout.js'
import { revertsPage, revertsPath, revertsText } from '../pages/reverts.js'

/**
 * Handlers of the pages that the `docs` field of errors links to, each as HTML and, with the suffix `.md`, as Markdown.
 */
export function errorRoutes(
  options: Pick<layout.Page, 'assets' | 'isServed'>,
): Record<string, Run> {
  const pages = names.flatMap((code): [string, Run][] => [
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

/** Handler of a page. Ignores query parameters, because links from other sites add their own. */
function page(make: () => string): Run {
  const document = once(() => ({ ...documentOf(make()), headers: pageHeaders }))
  return (c) => respondDocument(c, document())
}

function plain(make: () => Document): Run {
  const document = once(make)
  return (c) => respondDocument(c, document())
}

/** Creates the document at the first request, because it links to other paths that must be registered by then. */
function once(make: () => Document): () => Document {
  let made: Document | undefined
  return () => {
    made ??= make()
    return made
  }
}
