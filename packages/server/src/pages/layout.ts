import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Html, html } from '../html/html.js'
import type { Assets } from './Assets.js'

/** In the page itself, so that a page that was saved or printed looks the same. */
const style = readFileSync(new URL('./style.css', import.meta.url), 'utf8')
/** The page for swapping has more of it. */
const homeStyle = style + readFileSync(new URL('./swap.css', import.meta.url), 'utf8')

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** Nodes of readers: any over TLS, and those of their own machine. */
const nodes = 'https: http://127.0.0.1:* http://localhost:*'

const always = (css: string) => [
  "default-src 'none'",
  `style-src ${hashOf(css)}`,
  "img-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]

const withoutScript = [...always(style), "form-action 'none'"].join('; ')

/**
 * A script is of this origin; it may ask this origin and the node that the reader names, and may not make markup out of
 * text.
 */
const withScript = (css: string) =>
  [...always(css), "form-action 'self'", "script-src 'self'", `connect-src 'self' ${nodes}`].join(
    '; ',
  )

/** Of a page without a script: nothing may be loaded but the style that stands in it, and nothing runs. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': withoutScript,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
} as const

export const scriptedPageHeaders = {
  ...pageHeaders,
  'content-security-policy': withScript(style),
}

export const homePageHeaders = {
  ...pageHeaders,
  'content-security-policy': withScript(homeStyle),
}

const links = [
  ['/', 'Swap'],
  ['/stats', 'Stats'],
  ['/solvency', 'Solvency'],
  ['/xray', 'X-ray'],
  ['/api-reference', 'API'],
  ['/guide', 'Guide'],
  ['/errors', 'Errors'],
] as const

/** A whole page. `isServed` leaves out links to what is not there. */
export function layout(page: layout.Page): string {
  const { assets, content, description, isServed, kind, path, preload, script, title } = page
  const source = script === undefined ? undefined : assets.pathOf(script)
  const modules = source === undefined ? [] : [source, ...assets.importsOf(source)]
  const items = links
    .filter(([href]) => isServed('GET', href))
    .map(([href, name]) => html`<li>${linkTo(href, name, path)}</li>`)
  const body = html`<a class="skip" href="#content">Skip to the content</a>
<header class="top"><div>
<a class="brand" href="/">${mark}Sluice</a>
<nav aria-label="Main"><ul>${items}</ul></nav>
</div></header>
<main id="content">
${content}
</main>
<footer class="bottom"><div>
<p>Open source, MIT. Not audited by a third party. No key, no cookies, nothing is loaded from elsewhere.</p>
</div></footer>
${source !== undefined && html`<script type="module" src="${source}"></script>`}`
  const head = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${
  preload !== undefined &&
  html`<link rel="preload" as="fetch" href="${preload}" crossorigin="anonymous">
`
}${modules.map(
  (path) => html`<link rel="modulepreload" href="${path}">
`,
)}<link rel="describedby" href="/llms.txt" type="text/plain">`
  return `<!doctype html>
<html lang="en">
<head>
${head.markup}
<style>${kind === 'home' ? homeStyle : style}</style>
</head>
<body${kind === undefined ? '' : ` class="${kind}"`}>
${body.markup}
</body>
</html>
`
}

export declare namespace layout {
  type Page = {
    title: string
    description: string
    /** Where the page is, for the link that is marked. */
    path: string
    content: Html
    /** A page with a look of its own. */
    kind?: 'home' | undefined
    /** What the script asks for first. */
    preload?: string | undefined
    /** Name of the script that goes with it; the page is complete without. */
    script?: string | undefined
    assets: Assets
    isServed: (method: string, path: string) => boolean
  }
}

function linkTo(href: string, name: string, path: string): Html {
  return href === path
    ? html`<a href="${href}" aria-current="page">${name}</a>`
    : html`<a href="${href}">${name}</a>`
}

/** Three gates of a sluice. */
export const mark = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 7c4.5 0 4.5 4 9 4s4.5-4 9-4M3 13c4.5 0 4.5 4 9 4s4.5-4 9-4M12 3v3M12 19v2"/></svg>`

export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="#0a6b64"/><path d="M4 8.5c4 0 4 3.5 8 3.5s4-3.5 8-3.5M4 13.5c4 0 4 3.5 8 3.5s4-3.5 8-3.5" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round"/></svg>`
