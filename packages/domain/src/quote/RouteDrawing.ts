import type { Address } from 'viem'
import {
  boldWidthOf,
  type DrawnLine,
  leastWidthOf,
  lineHeight,
  linesAt,
  roomOf,
  wrapLabel,
} from './bandWords.js'

export type { DrawnLine } from './bandWords.js'

/** The members of a leg that the drawing needs. */
export type DrawnLeg = {
  readonly venue: number
  readonly pool: Address
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Share of the held `tokenIn` that the leg swaps, scaled by 1e18. The last leg of a token takes the rest. */
  readonly share: bigint
}

/** A token of the route as a box. */
export type DrawnToken = {
  readonly token: Address
  readonly name: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A leg as a band between two tokens, or several small ones of one pair that are drawn as one. */
export type DrawnEdge = {
  /** Places in the route's list of legs. */
  readonly legs: readonly number[]
  /** An SVG path from token to token, to be stroked as wide as `thickness`. */
  readonly path: string
  readonly thickness: number
  /** The name of the pool, or how many pools there are. */
  readonly name: string
  /** The name and the share, broken to fit. */
  readonly lines: readonly DrawnLine[]
  /** Part of the whole trade that flows here, 0 to 1; for the eye, not for accounts. */
  readonly part: number
  /** The same in percent. */
  readonly percent: string
}

/** A route as boxes and bands, in pixels. Smaller than drawn, its words cannot be read. */
export type RouteDrawing = {
  readonly width: number
  readonly height: number
  /** From top to bottom, not from left to right. */
  readonly isVertical: boolean
  readonly tokens: readonly DrawnToken[]
  readonly edges: readonly DrawnEdge[]
}

/** How a drawing is laid out. */
export type Layout = {
  /** Room from left to right, in pixels. Where it is narrow, the route flows from top to bottom. @default 640 */
  readonly width?: number | undefined
  readonly nameToken: (token: Address) => string
  /** Name of the pool of a leg, by its place in the route. */
  readonly nameLeg: (index: number) => string
}

const wad = 10n ** 18n
const margin = 2
/** Width of a band that carries the whole trade, and of the thinnest. */
const [wholeWidth, thinnest] = [52, 2]
/** Legs below this part of the trade are folded if there are several of one pair. */
const smallPart = 0.02
/** Room for less than this is for a drawing from top to bottom. */
const narrowPx = 480

/** From left to right: gaps between tokens, and the least height of a box. */
const across = { gap: { min: 88, max: 180 }, box: { along: 56, across: 36 } } as const
/** From top to bottom: the room beside the words between two tokens, and the size of a box. */
const upright = { gap: 76, box: { along: 34, across: 48 } } as const

/** Ways to lay a route out from top to bottom, the widest first: legs of a pair that are drawn, and room for words. */
const uprights = [4, 3, 2, 1].flatMap((maxLegs) =>
  [150, 110, 72, 48].map((wrap) => ({ maxLegs, wrap })),
)

/**
 * Lays a route out as a Sankey diagram: tokens by their depth, each leg a band as wide as the part of the trade that it
 * carries, in a lane of its own so that its words can be read. Legs are folded until the drawing fits the room.
 */
export function from(route: from.Route, layout: Layout): RouteDrawing {
  const { width = 640 } = layout
  const wide = width < narrowPx ? undefined : draw(route, layout, { maxLegs: 6, wrap: undefined })
  if (wide !== undefined && wide.width <= width) return wide
  let last: RouteDrawing | undefined
  for (const way of uprights) {
    last = draw(route, layout, way)
    if (last.width <= width) break
  }
  return last!
}

export declare namespace from {
  type Route = {
    readonly tokenIn: Address
    readonly tokenOut: Address
    readonly legs: readonly DrawnLeg[]
  }
}

/** Legs of one pair that are drawn one by one, and the room for words; without that room, from left to right. */
type Way = { readonly maxLegs: number; readonly wrap: number | undefined }

function draw(route: from.Route, layout: Layout, { maxLegs, wrap }: Way): RouteDrawing {
  const isVertical = wrap !== undefined
  const legs = route.legs.map((leg) => ({
    ...leg,
    tokenIn: keyOf(leg.tokenIn),
    tokenOut: keyOf(leg.tokenOut),
  }))
  const [first, last] = [keyOf(route.tokenIn), keyOf(route.tokenOut)]
  const bands = fold(legs, partsOf(legs, first), maxLegs)
  const depths = depthsOf(legs, first)
  const names = new Map(
    [...depths.keys()].map((key) => [key, layout.nameToken(nameOf(route, key))]),
  )
  const words = bands.map((band) => wordsOf(band, bands, layout))
  const rows = isVertical
    ? rowsOf(depths, words, wrap)
    : columnsOf(depths, names, { words, width: layout.width ?? 640 })
  const said = bands.map(({ thickness, tokenIn, tokenOut }, index) => {
    const { name, share } = words[index]!
    const room = wrap ?? Math.min(rows.startOf(tokenOut) - rows.endOf(tokenIn), 190) - 10
    return { lines: wrapLabel(name, room), share, thickness, isVertical }
  })
  const sizes = acrossEach(bands, names, isVertical)
  const lanes = lanesOf(bands, { rooms: said.map(roomOf), sizes, first, last })
  const nodes = new Map(
    [...depths.keys()].map((token) => {
      const isEnd = token === first || token === last
      const center = isEnd ? lanes.size / 2 : lanes.centerOf(token)
      const [along, end] = [rows.startOf(token), rows.endOf(token)]
      return [token, { along, end, center, across: sizes.get(token)! }] as const
    }),
  )
  const place = (point: Point) =>
    isVertical
      ? { x: round(point.across), y: round(point.along) }
      : { x: round(point.along), y: round(point.across) }
  return {
    width: round(isVertical ? lanes.size : rows.size),
    height: round(isVertical ? rows.size : lanes.size),
    isVertical,
    tokens: [...nodes].map(([token, { across: wide, along, center, end }]) => ({
      token: nameOf(route, token),
      name: names.get(token)!,
      ...place({ along, across: center - wide / 2 }),
      width: round(isVertical ? wide : end - along),
      height: round(isVertical ? end - along : wide),
    })),
    edges: edgesOf(bands, nodes, lanes.ofBand).map(({ middle, points, ...edge }, index) => ({
      ...edge,
      name: words[index]!.name,
      path: pathOf(points.map(place), isVertical),
      lines: linesAt(place(middle), said[index]!),
    })),
  }
}

type Point = { readonly along: number; readonly across: number }
type Band = { legs: number[]; tokenIn: Address; tokenOut: Address; part: number; thickness: number }
type Node = { along: number; end: number; center: number; across: number }
type Words = { readonly name: string; readonly share: string }

/** How much of the trade each leg carries, if value flowed unchanged. */
function partsOf(legs: readonly DrawnLeg[], first: Address): readonly number[] {
  const held = new Map<Address, number>([[first, 1]])
  const lastOf = new Map(legs.map(({ tokenIn }, index) => [tokenIn, index]))
  return legs.map(({ share, tokenIn, tokenOut }, index) => {
    const available = held.get(tokenIn) ?? 0
    const isLast = lastOf.get(tokenIn) === index
    const part = isLast ? available : available * (Number((share * 1_000_000n) / wad) / 1_000_000)
    held.set(tokenIn, available - part)
    held.set(tokenOut, (held.get(tokenOut) ?? 0) + part)
    return part
  })
}

/** A band for each leg; the small ones of a pair share one. */
function fold(
  legs: readonly DrawnLeg[],
  parts: readonly number[],
  maxLegs: number,
): readonly Band[] {
  const pairs = new Map<string, number[]>()
  for (const [index, { tokenIn, tokenOut }] of legs.entries()) {
    const pair = `${tokenIn} ${tokenOut}`
    pairs.set(pair, [...(pairs.get(pair) ?? []), index])
  }
  return [...pairs.values()].flatMap((indexes) => {
    const bySize = [...indexes].sort((a, b) => parts[b]! - parts[a]!)
    const small = bySize.filter((index, place) => place >= maxLegs - 1 || parts[index]! < smallPart)
    const folded = small.length > 1 ? small : []
    const single = bySize.filter((index) => !folded.includes(index)).map((index) => [index])
    return [...single, ...(folded.length > 0 ? [folded] : [])].map((group): Band => {
      const { tokenIn, tokenOut } = legs[group[0]!]!
      const part = sum(group.map((index) => parts[index]!))
      return {
        legs: group,
        tokenIn,
        tokenOut,
        part,
        thickness: Math.max(thinnest, part * wholeWidth),
      }
    })
  })
}

/** Length of the longest path to each token. One pass is enough, because legs are in the order of execution. */
function depthsOf(legs: readonly DrawnLeg[], first: Address): Map<Address, number> {
  const depths = new Map([[first, 0]])
  for (const { tokenIn, tokenOut } of legs) {
    const depth = (depths.get(tokenIn) ?? 0) + 1
    depths.set(tokenOut, Math.max(depths.get(tokenOut) ?? 0, depth))
  }
  return depths
}

/** What stands on a band. */
function wordsOf(
  { legs, part, tokenIn, tokenOut }: Band,
  all: readonly Band[],
  layout: Layout,
): Words {
  const share = `${percentOf(part)} %`
  if (legs.length === 1) return { name: layout.nameLeg(legs[0]!), share }
  const isAlone = all.filter((b) => b.tokenIn === tokenIn && b.tokenOut === tokenOut).length === 1
  return { name: isAlone ? `${legs.length} pools` : `${legs.length} more pools`, share }
}

/** How large each token is across the flow: as what flows through it, and from top to bottom no less than its name. */
function acrossEach(
  bands: readonly Band[],
  names: ReadonlyMap<Address, string>,
  isVertical: boolean,
): ReadonlyMap<Address, number> {
  return new Map(
    [...names].map(([token, name]) => {
      const flows = (side: 'tokenIn' | 'tokenOut') =>
        sum(bands.filter((band) => band[side] === token).map(({ thickness }) => thickness))
      const least = isVertical
        ? Math.max(upright.box.across, boldWidthOf(name) + 14)
        : across.box.across
      return [token, Math.max(least, flows('tokenIn'), flows('tokenOut'))]
    }),
  )
}

/** Start and end of each token's box along the flow, in pixels. */
type Rows = {
  readonly size: number
  readonly startOf: (token: Address) => number
  readonly endOf: (token: Address) => number
}

/** From left to right: columns as wide as their names, as far apart as the room lets them be. */
function columnsOf(
  depths: ReadonlyMap<Address, number>,
  names: ReadonlyMap<Address, string>,
  { width, words }: { words: readonly Words[]; width: number },
): Rows {
  const widths: number[] = []
  for (const [token, depth] of depths)
    widths[depth] = Math.max(widths[depth] ?? across.box.along, boldWidthOf(names.get(token)!) + 20)
  const gaps = Math.max(1, widths.length - 1)
  const least = Math.max(across.gap.min, ...words.map(({ name }) => leastWidthOf(name) + 12))
  const free = (width - 2 * margin - sum(widths)) / gaps
  return placed(depths, widths, Math.max(least, Math.min(across.gap.max, Math.floor(free))))
}

/** From top to bottom: rows of one height, with room for the words between them. */
function rowsOf(depths: ReadonlyMap<Address, number>, words: readonly Words[], wrap: number): Rows {
  const heights = Array.from({ length: Math.max(...depths.values()) + 1 }, () => upright.box.along)
  const most = Math.max(0, ...words.map(({ name }) => wrapLabel(name, wrap).length + 1))
  return placed(depths, heights, upright.gap + most * lineHeight)
}

function placed(depths: ReadonlyMap<Address, number>, sizes: readonly number[], gap: number): Rows {
  const startAt = (depth: number) => margin + sum(sizes.slice(0, depth)) + depth * gap
  const startOf = (token: Address) => startAt(depths.get(token)!)
  return {
    size: startAt(sizes.length) - gap + margin,
    startOf,
    endOf: (token) => startOf(token) + sizes[depths.get(token)!]!,
  }
}

/**
 * A lane for each band: those that end in one intermediate token lie beside those that leave it for the route's output,
 * so no two share a place in a column.
 */
function lanesOf(
  bands: readonly Band[],
  options: {
    rooms: readonly number[]
    sizes: ReadonlyMap<Address, number>
    first: Address
    last: Address
  },
) {
  const { first, last, rooms, sizes } = options
  const ofBand = bands.map(() => 0)
  const centers = new Map<Address, number>()
  let at = margin
  /** Lays bands side by side from `at`; says how much room they took. */
  const lay = (indexes: readonly number[]) => {
    let taken = 0
    for (const index of indexes) {
      ofBand[index] = at + taken + rooms[index]! / 2
      taken += rooms[index]!
    }
    return taken
  }
  const inner = new Set(bands.map(({ tokenOut }) => tokenOut).filter((token) => token !== last))
  const direct = bands.flatMap(({ tokenIn, tokenOut }, index) =>
    tokenOut === last && !inner.has(tokenIn) ? [index] : [],
  )
  at += lay(direct)
  for (const token of inner) {
    const into = bands.flatMap(({ tokenOut }, index) => (tokenOut === token ? [index] : []))
    const out = bands.flatMap(({ tokenIn, tokenOut }, index) =>
      tokenIn === token && tokenOut === last ? [index] : [],
    )
    const room = Math.max(lay(into), lay(out), sizes.get(token)! + 6)
    centers.set(token, at + room / 2)
    for (const group of [into, out]) {
      const extent = sum(group.map((index) => rooms[index]!))
      for (const index of group) ofBand[index]! += (room - extent) / 2
    }
    at += room
  }
  const used = at - margin
  const size = Math.max(used, sizes.get(first)!, sizes.get(last) ?? 0) + 2 * margin
  // Ends that are wider than all lanes leave room on both sides.
  const shift = size / 2 - margin - used / 2
  return {
    ofBand: ofBand.map((lane) => lane + shift),
    size,
    centerOf: (token: Address) => (centers.get(token) ?? size / 2) + shift,
  }
}

/** Each band from its place at one token to its place at the other, by way of its lane. */
function edgesOf(
  bands: readonly Band[],
  nodes: ReadonlyMap<Address, Node>,
  lanes: readonly number[],
) {
  const order = bands.map((_, index) => index).sort((a, b) => lanes[a]! - lanes[b]!)
  const portsOf = (side: 'tokenIn' | 'tokenOut') => {
    const ports = new Map<number, number>()
    for (const [token, { center }] of nodes) {
      const own = order.filter((index) => bands[index]![side] === token)
      let at = center - sum(own.map((index) => bands[index]!.thickness)) / 2
      for (const index of own) {
        ports.set(index, at + bands[index]!.thickness / 2)
        at += bands[index]!.thickness
      }
    }
    return ports
  }
  const [leaving, entering] = [portsOf('tokenIn'), portsOf('tokenOut')]
  return bands.map(({ legs, part, thickness, tokenIn, tokenOut }, index) => {
    const lane = lanes[index]!
    const start = { along: nodes.get(tokenIn)!.end, across: leaving.get(index)! }
    const end = { along: nodes.get(tokenOut)!.along, across: entering.get(index)! }
    const bend = Math.min(72, ((end.along - start.along) * 2) / 5)
    const points = [
      start,
      { along: start.along + bend, across: lane },
      { along: end.along - bend, across: lane },
      end,
    ]
    const middle = { along: (start.along + end.along) / 2, across: lane }
    const percent = percentOf(part)
    return { legs, points, middle, thickness: round(thickness), part: round(part), percent }
  })
}

function percentOf(part: number): string {
  const percent = 100 * part
  if (percent > 0 && percent < 0.1) return 'below 0.1'
  return percent.toFixed(1).replace(/\.0$/, '')
}

/** Curves to the lane, goes along it, and curves to the end. */
function pathOf(points: readonly XY[], isDown: boolean): string {
  const [start, begin, stop, end] = points as [XY, XY, XY, XY]
  const curve = (a: XY, b: XY) => {
    const [midX, midY] = [round((a.x + b.x) / 2), round((a.y + b.y) / 2)]
    return isDown
      ? `C${a.x} ${midY} ${b.x} ${midY} ${b.x} ${b.y}`
      : `C${midX} ${a.y} ${midX} ${b.y} ${b.x} ${b.y}`
  }
  return `M${start.x} ${start.y}${curve(start, begin)}L${stop.x} ${stop.y}${curve(stop, end)}`
}

type XY = { readonly x: number; readonly y: number }

function keyOf(token: Address): Address {
  return token.toLowerCase() as Address
}

/** The token as the route writes it. */
function nameOf(route: from.Route, key: Address): Address {
  const all = [route.tokenIn, route.tokenOut, ...route.legs.map(({ tokenOut }) => tokenOut)]
  return all.find((token) => keyOf(token) === key) ?? key
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
