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

/** Box of a token; `y` is its vertical center. */
export type DrawnToken = {
  readonly token: Address
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Line of a leg between two tokens. */
export type DrawnEdge = {
  readonly leg: number
  /** An SVG path from token to token. */
  readonly path: string
  readonly thickness: number
  /** Position of the label. */
  readonly label: { readonly x: number; readonly y: number }
  /** Share of the whole input in this leg, 0 to 1. Approximate, for drawing only. */
  readonly part: number
  /** Share of all that the route holds of the leg's input token, in percent. */
  readonly percent: string
}

/** A route as boxes and lines, in SVG units. */
export type RouteDrawing = {
  readonly width: number
  readonly height: number
  readonly tokens: readonly DrawnToken[]
  readonly edges: readonly DrawnEdge[]
}

const [columnGap, rowHeight, tokenWidth, margin] = [280, 46, 112, 14]
const [thinnest, thickest] = [2, 16]
const wad = 10n ** 18n

/**
 * Lays out a route from left to right: tokens in columns by depth, and one line per leg, as thick as its share of the input.
 */
export function from(route: {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly legs: readonly DrawnLeg[]
}): RouteDrawing {
  const legs = route.legs.map((leg) => ({
    ...leg,
    tokenIn: keyOf(leg.tokenIn),
    tokenOut: keyOf(leg.tokenOut),
  }))
  const [first, last] = [keyOf(route.tokenIn), keyOf(route.tokenOut)]
  const flows = flowsOf(legs, first)
  const depths = depthsOf(legs, first)
  const rows = rowsOf(legs, last)
  const columns = Math.max(1, ...depths.values())
  const height = Math.max(1, rows.count) * rowHeight + 2 * margin
  const middle = height / 2
  const xOf = (token: Address) => margin + (depths.get(token) ?? 0) * columnGap
  const yOf = (token: Address) =>
    token === first || token === last ? middle : margin + rows.centre(token) * rowHeight
  const edges = legs.map((leg, index) => {
    const from = { x: xOf(leg.tokenIn) + tokenWidth, y: yOf(leg.tokenIn) }
    const to = { x: xOf(leg.tokenOut), y: yOf(leg.tokenOut) }
    const lane = margin + (rows.ofLeg[index]! + 0.5) * rowHeight
    const { part, percent } = flows[index]!
    return {
      leg: index,
      path: pathOf(from, to, lane),
      thickness: round(Math.max(thinnest, part * thickest)),
      label: { x: from.x + (columnGap - tokenWidth) / 2, y: round(lane) },
      part,
      percent,
    }
  })
  const names = [...depths.keys()]
  return {
    width: 2 * margin + columns * columnGap + tokenWidth,
    height,
    tokens: names.map((token) => ({
      token: nameOf(route, token),
      x: xOf(token),
      y: round(yOf(token)),
      width: tokenWidth,
      height: 32,
    })),
    edges,
  }
}

/** SVG path that curves to the lane, follows it, and curves to the end. */
function pathOf(from: Point, to: Point, lane: number): string {
  const bend = (columnGap - tokenWidth) / 4
  const [x1, x2] = [from.x + bend, to.x - bend]
  const curve = (a: Point, b: Point) => {
    const mid = round((a.x + b.x) / 2)
    return `C${mid} ${round(a.y)} ${mid} ${round(b.y)} ${round(b.x)} ${round(b.y)}`
  }
  const [begin, end] = [
    { x: x1, y: lane },
    { x: x2, y: lane },
  ]
  return `M${round(from.x)} ${round(from.y)}${curve(from, begin)}L${round(x2)} ${round(lane)}${curve(end, to)}`
}

type Point = { readonly x: number; readonly y: number }

/** Share of the input in each leg, as if swaps did not change value. */
function flowsOf(legs: readonly DrawnLeg[], first: Address) {
  const held = new Map<Address, number>([[first, 1]])
  const taken = new Map<Address, number>()
  const lastOf = new Map(legs.map(({ tokenIn }, index) => [tokenIn, index]))
  return legs.map(({ share, tokenIn, tokenOut }, index) => {
    const available = held.get(tokenIn) ?? 0
    const isLast = lastOf.get(tokenIn) === index
    const part = isLast ? available : available * (Number((share * 1_000_000n) / wad) / 1_000_000)
    held.set(tokenIn, available - part)
    held.set(tokenOut, (held.get(tokenOut) ?? 0) + part)
    const whole = available + (taken.get(tokenIn) ?? 0)
    taken.set(tokenIn, (taken.get(tokenIn) ?? 0) + part)
    const percent = whole === 0 ? 0 : (100 * part) / whole
    return { part: round(part), percent: percent.toFixed(1).replace(/\.0$/, '') }
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
 * Row of each leg. Legs into an intermediate token share a band of rows with the legs from it to the route's output, so that
 * no two lines overlap.
 */
function rowsOf(legs: readonly DrawnLeg[], last: Address) {
  const ofLeg = legs.map(() => 0)
  const bands = new Map<Address, { start: number; size: number }>()
  let count = 0
  for (const [index, { tokenIn, tokenOut }] of legs.entries())
    if (tokenOut === last && !legs.some((leg) => leg.tokenOut === tokenIn)) ofLeg[index] = count++
  const inner = new Set(legs.map(({ tokenOut }) => tokenOut).filter((token) => token !== last))
  for (const token of inner) {
    const into = legs.flatMap((leg, index) => (leg.tokenOut === token ? [index] : []))
    const out = legs.flatMap((leg, index) =>
      leg.tokenIn === token && leg.tokenOut === last ? [index] : [],
    )
    for (const group of [into, out])
      for (const [place, index] of group.entries()) ofLeg[index] = count + place
    const size = Math.max(into.length, out.length)
    bands.set(token, { start: count, size })
    count += size
  }
  const centre = (token: Address) => {
    const band = bands.get(token)
    return band === undefined ? 0.5 : band.start + band.size / 2
  }
  return { ofLeg, count, centre }
}

function keyOf(token: Address): Address {
  return token.toLowerCase() as Address
}

/** Address of a token with the case that the route uses. */
function nameOf(
  route: { tokenIn: Address; tokenOut: Address; legs: readonly DrawnLeg[] },
  key: Address,
): Address {
  const all = [route.tokenIn, route.tokenOut, ...route.legs.map(({ tokenOut }) => tokenOut)]
  return all.find((token) => keyOf(token) === key) ?? key
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
