import { type Code, type CodeFacts, codes, docsPath, operations } from '@sluice/api'
import { html } from '../html/html.js'
import { layout } from './layout.js'
import { marked } from './marked.js'
import { revertsPath } from './reverts.js'

type Page = Pick<layout.Page, 'assets' | 'isServed'>

/** What an error code means, for whoever met it: cause, whether to try again, what to do, where it comes from. */
export function errorPage(code: Code, page: Page): string {
  const { advice, field, meaning } = factsOf(code)
  return layout({
    ...page,
    title: `${code} · Sluice`,
    description: meaning,
    path: docsPath(code),
    content: html`<h1><code>${code}</code></h1>
<p class="lead">${marked(meaning)}</p>
<section class="card"><h2>What to do</h2>
<p>${marked(advice)}</p></section>
<section class="card"><dl class="facts">
<div><dt>Status</dt><dd>${statusOf(code)}</dd></div>
<div><dt>Ask again?</dt><dd>${againOf(code)}</dd></div>
${field !== undefined && html`<div><dt>Field</dt><dd><code>${field}</code></dd></div>`}
<div><dt>Answered by</dt><dd>${placesOf(code).map(
      (place) => html`<div><code>${place}</code></div>`,
    )}</dd></div>
</dl></section>
<p><a href="/errors">All error codes</a></p>`,
  })
}

/** Every code on one page. */
export function errorsPage(page: Page): string {
  const rows = names.map(
    (code) => html`<tr><th scope="row"><a href="${docsPath(code)}"><code>${code}</code></a></th>
<td data-label="Status">${statusOf(code)}</td><td>${marked(factsOf(code).meaning)}</td></tr>`,
  )
  return layout({
    ...page,
    title: 'Error codes · Sluice',
    description: 'Every error code of the API: cause, whether to try again, what to do.',
    path: '/errors',
    content: html`<h1>Error codes</h1>
<p class="lead">Every failure is <code>{"ok": false, "code", "error"}</code>. Branch on the code; the text is for people.</p>
<div class="card"><table class="stack"><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Cause</th></tr></thead>
<tbody>${rows}</tbody></table></div>
<p><a href="${revertsPath}">Errors with which a swap ends on chain</a></p>`,
  })
}

/** The same as Markdown, for programs that read. */
export function errorText(code: Code): string {
  const { advice, field, meaning } = factsOf(code)
  return `# ${code}

${meaning}

- What to do: ${advice}
- Status: ${statusOf(code)}
- Ask again: ${againOf(code)}
${field === undefined ? '' : `- Field: \`${field}\`\n`}- Answered by: ${placesOf(code).join(', ')}
`
}

export const names = Object.keys(codes) as readonly Code[]

function factsOf(code: Code): CodeFacts {
  return codes[code]
}

/** Statuses that say it nearer than the code's own. */
const nearer: Partial<Record<Code, string>> = {
  bad_body: ', or 415 for the content type',
  bad_request: ', or 408 where it did not arrive in time',
  too_large: ' for a body, 414 for a URL, 431 for headers',
}

function statusOf(code: Code): string {
  return `${codes[code].status}${nearer[code] ?? ''}`
}

function againOf(code: Code): string {
  if (code === 'no_route') return 'Only on a later block: on the same one it fails again.'
  return codes[code].retryable
    ? 'Yes: the same request may succeed a little later.'
    : 'No: the same request fails again.'
}

function placesOf(code: Code): readonly string[] {
  const places = operations
    .filter(({ errors }) => errors.includes(code))
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  return places.length === 0 ? ['Every path'] : places
}
