import { createHash } from 'node:crypto'
import {
  Addresses,
  KnownTokens,
  type QuoteRequest,
  RouteDrawing,
  Texts,
  VenueNames,
  Venues,
} from '@sluice/domain'
import { type Html, html } from '../html/html.js'

/** Venue names and width for a picture. */
type Room = {
  /** Names of the chain's venues; without them their numbers stand there. */
  readonly venues: Venues.Venues | undefined
  /** Pixels from left to right. */
  readonly width: number
}

type Route = Omit<RouteDrawing.from.Route, 'legs'> & {
  readonly legs: readonly (RouteDrawing.DrawnLeg & { readonly key: bigint })[]
}

const style = `text{font:600 13px system-ui,'DejaVu Sans',sans-serif;text-anchor:middle}
.edge{fill:none;stroke:#0a6b64;stroke-opacity:.3}.token{fill:#0a6b64}
.name{fill:#fff}.words{fill:#10201f;font-weight:400;font-size:12.5px;paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}.part{font-weight:700}
@media(prefers-color-scheme:dark){.edge{stroke:#63d2c6}.token{fill:#63d2c6}.name{fill:#06211e}.words{fill:#e6f0ee;stroke:#121e1d}}`

/** The picture stands alone: it may load and run nothing. */
export const pictureHeaders = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
} as const

/**
 * A quote's route as a picture, the same as on the page: tokens from left to right, or from top to bottom in little room, each
 * leg as wide as what it carries.
 */
export function routeSvg(route: Route, request: QuoteRequest.QuoteRequest, options: Room): string {
  const picture = drawRoute(route, (token) => nameOf(token, request), options)
  return picture.markup.replace('>\n', `><style>${style}</style>\n`)
}

/** A route as an SVG element without a style of its own. */
export function drawRoute(
  route: Route,
  nameToken: (token: string) => string,
  { venues, width: room }: Room,
): Html {
  const { edges, height, tokens, width } = RouteDrawing.from(route, {
    width: room,
    nameToken,
    nameLeg: (index) => nameOfLeg(route.legs[index]!, venues),
  })
  const words = `${nameToken(route.tokenIn)} to ${nameToken(route.tokenOut)} over ${route.legs.length} ${route.legs.length === 1 ? 'swap' : 'swaps'}`
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${words}">
${edges.map(({ path, thickness }) => html`<path class="edge" d="${path}" stroke-width="${thickness}"/>`)}
${edges.map(({ lines }) => html`<text class="words">${lines.map(({ isShare, text, x, y }) => html`<tspan${isShare && html` class="part"`} x="${x}" y="${y}">${text}</tspan> `)}</text>`)}
${tokens.map(
  ({ name, x, y, width: wide, height: high }) =>
    html`<rect class="token" x="${x}" y="${y}" width="${wide}" height="${high}" rx="8"/><text class="name" x="${x + wide / 2}" y="${y + high / 2 + 4.5}">${name}</text>`,
)}
</svg>`
}

function nameOfLeg(leg: Route['legs'][number], venues: Venues.Venues | undefined): string {
  const venue = venues?.get(leg.venue)
  const known = venue && { venueName: venue.name, feePips: Venues.feePipsOf(venue, leg) }
  return VenueNames.ofLeg({ venue: leg.venue, ...known })
}

/** The symbol that is pinned or was asked for, else the address cut short. */
function nameOf(token: string, { chain, tokenIn, tokenOut }: QuoteRequest.QuoteRequest): string {
  if (Addresses.equal(token, chain.wrappedNative)) return 'WETH'
  if (Addresses.equal(token, chain.usdc)) return KnownTokens.dollarOf(chain.chainId).symbol
  if (chain.slu !== null && Addresses.equal(token, chain.slu)) return 'SLU'
  const side = [tokenIn, tokenOut].find(({ address }) => Addresses.equal(address, token))
  return side?.resolved ? Texts.visible(side.resolved.symbol, 12) : Addresses.shorten(token)
}
