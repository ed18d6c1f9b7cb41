import { type Html, html } from './html.js'

/** A time element for people and programs, with a precision of one second. `milliseconds` is unix time. */
export function time(milliseconds: number): Html {
  const iso = new Date(milliseconds).toISOString()
  return html`<time datetime="${iso}">${iso.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</time>`
}
