import { createHash } from 'node:crypto'
import { Addresses, type QuoteRequest, RouteDrawing, Texts } from '@sluice/domain'
import { type Html, html } from '../html/html.js'

type Route = Parameters<typeof RouteDrawing.from>[0]

const style = `text{font:600 13px system-ui,'DejaVu Sans',sans-serif;text-anchor:middle}
.edge{fill:none;stroke:#0a6b64;stroke-opacity:.35}.chip{fill:#fff;stroke:#d5dfdd}.token{fill:#0a6b64}
.name{fill:#fff}.words{fill:#10201f;font-weight:400;font-size:11.5px}
@media(prefers-color-scheme:dark){.edge{stroke:#63d2c6}.chip{fill:#121e1d;stroke:#2a3b39}.token{fill:#63d2c6}.name{fill:#06211e}.words{fill:#e6f0ee}}`

/** The picture stands alone: it may load and run nothing. */
export const pictureHeaders = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
} as const

const [chipWidth, chipHeight] = [116, 22]

/** A quote's route as a picture: tokens from left to right, each leg as thick as what it carries. */
export function routeSvg(route: Route, request: QuoteRequest.QuoteRequest): string {
  const { edges, height, tokens, width } = RouteDrawing.from(route)
  const words = `${nameOf(route.tokenIn, request)} to ${nameOf(route.tokenOut, request)} over ${route.legs.length} ${route.legs.length === 1 ? 'swap' : 'swaps'}`
  const picture = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${words}">
${edges.map(({ path, thickness }) => html`<path class="edge" d="${path}" stroke-width="${thickness}"/>`)}
${edges.map(({ label, leg, percent }) => chip(label, `${percent} % · ${route.legs[leg]!.pool.slice(0, 6)}…`))}
${tokens.map(
  ({ token, x, y, width: wide, height: high }) =>
    html`<rect class="token" x="${x}" y="${y - high / 2}" width="${wide}" height="${high}" rx="9"/><text class="name" x="${x + wide / 2}" y="${y + 4.5}">${nameOf(token, request)}</text>`,
)}
</svg>`
  return picture.markup.replace('>\n', `><style>${style}</style>\n`)
}

function chip({ x, y }: { x: number; y: number }, words: string): Html {
  return html`<rect class="chip" x="${x - chipWidth / 2}" y="${y - chipHeight / 2}" width="${chipWidth}" height="${chipHeight}" rx="${chipHeight / 2}"/><text class="words" x="${x}" y="${y + 4}">${words}</text>`
}

/** The symbol that is pinned or was asked for, else the address cut short. */
function nameOf(token: string, { chain, tokenIn, tokenOut }: QuoteRequest.QuoteRequest): string {
  if (Addresses.equal(token, chain.wrappedNative)) return 'WETH'
  if (Addresses.equal(token, chain.usdc)) return 'USDC'
  if (chain.slu !== null && Addresses.equal(token, chain.slu)) return 'SLU'
  const side = [tokenIn, tokenOut].find(({ address }) => Addresses.equal(address, token))
  return side?.resolved ? Texts.visible(side.resolved.symbol, 12) : Addresses.shorten(token)
}
