import { operations, type Site } from '@sluice/api'
import { type Html, html } from '../html/html.js'
import { layout } from './layout.js'
import { marked } from './marked.js'

type Page = Pick<layout.Page, 'assets' | 'isServed'>

/** Every operation of the API: what it takes, gives and refuses, from the list that the OpenAPI document is made of. */
export function referencePage(page: Page): string {
  const cards = operations.map(
    ({ body, description, errors, id, method, path, query, summary }) => {
      const fields = query === undefined ? [] : Object.entries(query.shape)
      return html`<section class="card" id="${id}"><h2><code>${method} ${path}</code></h2>
<p>${marked(summary)}</p>${description !== undefined && html`<p>${marked(description)}</p>`}
${fields.length > 0 && html`<table class="stack"><thead><tr><th scope="col">Parameter</th><th scope="col">Meaning</th></tr></thead><tbody>${fields.map(([name, field]) => html`<tr><th scope="row"><code>${name}</code></th><td>${marked(field.description ?? '')}</td></tr>`)}</tbody></table>`}
${body !== undefined && html`<p class="hint">Takes a JSON body; the OpenAPI document has its schema.</p>`}
${errors.length > 0 && html`<p class="hint">Errors: ${errors.map((code) => html`<a href="/errors/${code}"><code>${code}</code></a> `)}</p>`}</section>`
    },
  )
  return layout({
    ...page,
    title: 'API reference · Sluice',
    description: 'Every operation of the API: parameters, responses, errors.',
    path: '/api-reference',
    content: html`<h1>API reference</h1>
<p class="lead">No key, open CORS, amounts in base units as decimal text. For programs: <a href="/api/openapi.json">OpenAPI document</a>, <a href="/llms-full.txt">all of it as text</a>.</p>
${cards}`,
  })
}

/** The guide for people: the text for programs, with its headings and links. */
export function guidePage(text: string, site: Site, page: Page): string {
  return layout({
    ...page,
    title: 'Guide · Sluice',
    description: 'How to quote, verify and swap with Sluice.',
    path: '/guide',
    content: html`${blocksOf(text, site)}<p class="hint">The same for programs: <a href="/llms.txt">llms.txt</a>.</p>`,
  })
}

/** Headings, lists, quotes and paragraphs of our own plain Markdown. */
function blocksOf(text: string, site: Site): readonly Html[] {
  return text.split(/\n\n+/).map((block) => {
    if (block.startsWith('# ')) return html`<h1>${block.slice(2)}</h1>`
    if (block.startsWith('## ')) return html`<h2>${block.slice(3)}</h2>`
    if (block.startsWith('> ')) return html`<p class="lead">${block.slice(2)}</p>`
    const lines = block.split('\n').filter(Boolean)
    if (lines.every((line) => line.startsWith('- ')))
      return html`<ul class="plainlist">${lines.map((line) => html`<li>${linked(line.slice(2), site)}</li>`)}</ul>`
    return html`<p>${linked(block, site)}</p>`
  })
}

/** `[words](address)` as links; everything else as text. */
function linked(text: string, { url }: Site): Html {
  const parts = text.split(/(\[[^\]]+\]\([^)\s]+\))/)
  return html`${parts.map((part) => {
    const [, words, target] = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(part) ?? []
    if (words === undefined || target === undefined) return marked(part)
    const href = target.startsWith(url) ? target.slice(url.length) : target
    return /^(\/|https?:)/.test(href) ? html`<a href="${href}">${words}</a>` : words
  })}`
}
