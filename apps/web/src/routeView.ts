import { RouteDrawing } from '@sluice/domain'
import type { Quote } from '@sluice/sdk'
import { el, svg } from './dom.js'
import type { Tokens } from './tokens.js'

/** The route as a picture, and as a list for those who do not see it. */
export function routeView({ chainId, route }: Quote, tokens: Tokens): readonly Node[] {
  const drawing = RouteDrawing.from(route)
  const nameOf = (token: string) => tokens.nameOf(chainId, token)
  const { edges, height, width } = drawing
  const picture = svg(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      'aria-label': `Route over ${route.legs.length} swaps; the list below says the same`,
    },
    ...edges.map(({ path, thickness }) =>
      svg('path', { class: 'edge', d: path, 'stroke-width': thickness }),
    ),
    ...edges.map(({ label, leg, percent }) =>
      labelOf(label, `${percent} % · ${poolOf(route, leg)}`),
    ),
    ...drawing.tokens.map((box) =>
      svg(
        'g',
        { class: 'token' },
        svg('rect', {
          x: box.x,
          y: box.y - box.height / 2,
          width: box.width,
          height: box.height,
          rx: 9,
        }),
        svg(
          'text',
          { x: box.x + box.width / 2, y: box.y + 4.5, 'text-anchor': 'middle' },
          nameOf(box.token),
        ),
      ),
    ),
  )
  const items = route.legs.map((leg, index) =>
    el(
      'li',
      {},
      `${edges[index]!.percent} % of ${nameOf(leg.tokenIn)} to ${nameOf(leg.tokenOut)} in pool `,
      el('code', {}, leg.pool),
      ` (venue ${leg.venue})`,
    ),
  )
  return [
    el('div', { class: 'drawing', tabindex: 0, role: 'region', 'aria-label': 'Route' }, picture),
    el(
      'details',
      {},
      el('summary', {}, 'Every swap in words'),
      el('ol', { class: 'plainlist' }, ...items),
    ),
  ]
}

const [chipWidth, chipHeight] = [116, 22]

function labelOf({ x, y }: { x: number; y: number }, words: string): Node {
  return svg(
    'g',
    {},
    svg('rect', {
      class: 'chip',
      x: x - chipWidth / 2,
      y: y - chipHeight / 2,
      width: chipWidth,
      height: chipHeight,
      rx: chipHeight / 2,
    }),
    svg('text', { class: 'words', x, y: y + 4, 'text-anchor': 'middle' }, words),
  )
}

function poolOf(route: Quote['route'], leg: number): string {
  return `${route.legs[leg]!.pool.slice(0, 6)}…`
}
