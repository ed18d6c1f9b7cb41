import { type Content, type Html, html } from '../html/html.js'

/** Words between backquotes as code. */
export function marked(text: string): Html {
  const parts = text.split('`').map((part, index): Content => {
    return index % 2 === 1 ? html`<code>${part}</code>` : part
  })
  return html`${parts}`
}
