import { type Html, html } from './html.js'

/** A moment for people and for programs, to the second. */
export function time(milliseconds: number): Html {
  const iso = new Date(milliseconds).toISOString()
  return html`<time datetime="${iso}">${iso.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</time>`
}
