import type { Address } from 'viem'

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
  /** Position of the label. */
  readonly label: { readonly x: number; readonly y: number }
  /** Part of the whole trade that flows here, 0 to 1; for the eye, not for accounts. */
  readonly part: number
  /** The same in percent. */
  readonly percent: string
}

/** A route as boxes and bands, in SVG units. */
export type RouteDrawing = {
  readonly width: number
  readonly height: number
  readonly tokens: readonly DrawnToken[]
  readonly edges: readonly DrawnEdge[]
}

/** How a drawing is laid out. */
export type Layout = {
  /** From top to bottom, for narrow screens. @default false */
  readonly isVertical?: boolean | undefined
  /** Legs of one pair that are drawn one by one; smaller ones are folded into one band. @default 6 */
  readonly maxLegs?: number | undefined
}

const wad = 10n ** 18n
const margin = 8
/** Width of a band that carries the whole trade, and of the thinnest. */
const [wholeWidth, thinnest] = [52, 2]
/** Legs below this part of the trade are folded if there are several of one pair. */
const smallPart = 0.02

type Sizes = { gap: number; along: number; minAcross: number; minLane: number }
/** Along the flow and across it: the gap between tokens, a token's size, and the least room for a band and its words. */
const sizes: Readonly<Record<'horizontal' | 'vertical', Sizes>> = {
  horizontal: { gap: 180, along: 70, minAcross: 36, minLane: 36 },
  vertical: { gap: 132, along: 34, minAcross: 84, minLane: 128 },
}

/**
 * Lays a route out as a Sankey diagram: tokens in columns by their depth, each leg a band as wide as the part of the
 * trade that it carries, in a lane of its own so that its words can be read.
 */
export function from(route: from.Route, layout: Layout = {}): RouteDrawing {
  const { isVertical = false, maxLegs = 6 } = layout
  const size = sizes[isVertical ? 'vertical' : 'horizontal']
  const legs = route.legs.map((leg) => ({
    ...leg,
    tokenIn: keyOf(leg.tokenIn),
    tokenOut: keyOf(leg.tokenOut),
  }))
  const [first, last] = [keyOf(route.tokenIn), keyOf(route.tokenOut)]
  const bands = fold(legs, partsOf(legs, first), maxLegs)
  const depths = depthsOf(legs, first)
  const lanes = lanesOf(bands, last, size)
  const middle = lanes.size / 2
  const nodes = new Map(
    [...depths].map(([token, depth]) => {
      const isEnd = token === first || token === last
      const flow =
        token === first
          ? bands.filter(({ tokenIn }) => tokenIn === token)
          : bands.filter(({ tokenOut }) => tokenOut === token)
      const across = Math.max(size.minAcross, sum(flow.map(({ thickness }) => thickness)))
      const center = isEnd ? middle : lanes.centerOf(token)
      return [token, { along: margin + depth * (size.along + size.gap), center, across }] as const
    }),
  )
  const edges = edgesOf(bands, nodes, lanes.ofBand, { ...size, isVertical })
  const columns = Math.max(0, ...depths.values())
  const whole = {
    along: 2 * margin + columns * (size.along + size.gap) + size.along,
    across: lanes.size,
  }
  const place = (point: Point) =>
    isVertical
      ? { x: round(point.across), y: round(point.along) }
      : { x: round(point.along), y: round(point.across) }
  return {
    width: isVertical ? whole.across : whole.along,
    height: isVertical ? whole.along : whole.across,
    tokens: [...nodes].map(([token, { across, along, center }]) => ({
      token: nameOf(route, token),
      ...place({ along, across: center - across / 2 }),
      width: isVertical ? across : size.along,
      height: isVertical ? size.along : across,
    })),
    edges: edges.map(({ points, label, ...edge }) => ({
      ...edge,
      path: pathOf(points.map(place), isVertical),
      label: place(label),
    })),
  }
}

export declare namespace from {
  type Route = {
    readonly tokenIn: Address
    readonly tokenOut: Address
    readonly legs: readonly DrawnLeg[]
  }
}

type Point = { readonly along: number; readonly across: number }
type Band = { legs: number[]; tokenIn: Address; tokenOut: Address; part: number; thickness: number }
type Node = { readonly along: number; readonly center: number; readonly across: number }

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

/**
 * A lane for each band: those that end in one intermediate token lie beside those that leave it for the route's output,
 * so no two share a place in a column.
 */
function lanesOf(bands: readonly Band[], last: Address, { minAcross, minLane }: Sizes) {
  const ofBand = bands.map(() => 0)
  const centers = new Map<Address, number>()
  let at = margin
  /** Lays bands side by side from `at`; says how much room they took. */
  const lay = (indexes: readonly number[]) => {
    let taken = 0
    for (const index of indexes) {
      const room = Math.max(minLane, bands[index]!.thickness + 12)
      ofBand[index] = at + taken + room / 2
      taken += room
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
    const room = Math.max(lay(into), lay(out), minAcross + 8)
    centers.set(token, at + room / 2)
    for (const group of [into, out]) {
      const extent = sum(group.map((index) => Math.max(minLane, bands[index]!.thickness + 12)))
      for (const index of group) ofBand[index]! += (room - extent) / 2
    }
    at += room
  }
  const size = Math.max(at, margin + minLane) + margin
  return { ofBand, size, centerOf: (token: Address) => centers.get(token) ?? size / 2 }
}

/** Each band from its place at one token to its place at the other, by way of its lane. */
function edgesOf(
  bands: readonly Band[],
  nodes: ReadonlyMap<Address, Node>,
  lanes: readonly number[],
  { along, gap, isVertical }: Sizes & { isVertical: boolean },
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
    const start = { along: nodes.get(tokenIn)!.along + along, across: leaving.get(index)! }
    const end = { along: nodes.get(tokenOut)!.along, across: entering.get(index)! }
    const bend = (gap * 2) / 5
    const points = [
      start,
      { along: start.along + bend, across: lane },
      { along: end.along - bend, across: lane },
      end,
    ]
    // Words stand on a wide band, and beside a thin one.
    const aside = !isVertical && thickness < 18 ? thickness / 2 + 9 : 0
    const label = { along: (start.along + end.along) / 2, across: lane - aside }
    const percent = percentOf(part)
    return { legs, points, label, thickness: round(thickness), part: round(part), percent }
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
