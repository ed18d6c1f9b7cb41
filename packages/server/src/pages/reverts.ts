import { Reverts } from '@sluice/domain'
import { type Html, html } from '../html/html.js'
import { layout } from './layout.js'
import { marked } from './marked.js'

export const revertsPath = '/errors/reverts'

const origins: Readonly<Record<Reverts.Origin, string>> = {
  sluice: 'The Router',
  token: 'Tokens',
  permit2: 'Permit2',
  pool: 'Venues',
}

/** Every named error with which a swap can end on chain, by whose it is: what it means and what to do. */
export function revertsPage(page: Pick<layout.Page, 'assets' | 'isServed'>): string {
  const sections = Object.entries(Reverts.byOrigin).map(([origin, list]) =>
    tableOf(
      origins[origin as Reverts.Origin],
      list.map(({ signature, ...facts }) => ({
        name: signature,
        id: signature.split('(')[0]!,
        ...facts,
      })),
    ),
  )
  const texts = Reverts.reasons.map(({ reason, ...facts }) => ({
    name: reason,
    id: undefined,
    ...facts,
  }))
  return layout({
    ...page,
    title: 'Reverts · Sluice',
    description: 'Every error with which a swap can end on chain: what it means, what to do.',
    path: revertsPath,
    content: html`<h1>Reverts</h1>
<p class="lead">A swap that cannot deliver what was quoted is undone, with one of these errors. The ABI that decodes them is <a href="/api/abi?contract=errors"><code>/api/abi?contract=errors</code></a>.</p>
${sections}
${tableOf('Plain texts', texts)}
<p><a href="/errors">Error codes of the API</a></p>`,
  })
}

type Row = { name: string; id: string | undefined; meaning: string; advice: string }

function tableOf(title: string, rows: readonly Row[]): Html {
  const lines = rows.map(
    ({ advice, id, meaning, name }) =>
      html`<tr${id !== undefined && html` id="${id}"`}><th scope="row"><code>${name}</code></th>
<td data-label="Meaning">${marked(meaning)}</td><td data-label="What to do">${marked(advice)}</td></tr>`,
  )
  return html`<h2>${title}</h2>
<div class="card"><table class="stack"><thead><tr><th scope="col">Error</th><th scope="col">Meaning</th><th scope="col">What to do</th></tr></thead>
<tbody>${lines}</tbody></table></div>
`
}

/** The same as Markdown, for programs that read. */
export function revertsText(): string {
  const sections = Object.entries(Reverts.byOrigin).map(([origin, list]) => {
    const lines = list.map(
      ({ advice, meaning, signature }) => `- \`${signature}\`: ${meaning} ${advice}`,
    )
    return [`## ${origins[origin as Reverts.Origin]}`, '', ...lines, ''].join('\n')
  })
  const texts = Reverts.reasons.map(
    ({ advice, meaning, reason }) => `- \`${reason}\`: ${meaning} ${advice}`,
  )
  return ['# Reverts', '', ...sections, '## Plain texts', '', ...texts, ''].join('\n')
}
