import type { Address } from 'viem'

/** What of a leg is drawn. */
export type DrawnLeg = {
  readonly venue: number
  readonly pool: Address
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Part of the holding of `tokenIn` that the leg swaps, in 1e-18; the last leg of a token takes all that is left. */
  readonly share: bigint
}

/** A token of the route; `y` is its middle. */
export type DrawnToken = {
  readonly token: Address
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A leg as a line between two tokens. */
export type DrawnEdge = {
  readonly leg: number
  /** An SVG path from token to token. */
  readonly path: string
  readonly thickness: number
  /** Where its words stand. */
  readonly label: { readonly x: number; readonly y: number }
  /** Part of the whole input that flows here, 0 to 1; for the eye, not for accounts. */
  readonly part: number
  /** Part of what is held of its own token at the start, in percent. */
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
 * Lays a route out from left to right: tokens in columns by their depth, each leg a line of its own, as thick as the part
 * of the input that it carries.
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

/** Curves to the lane, goes along it, and curves to the end. */
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

/** How much of the input each leg carries, if value flowed unchanged. */
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

/** Longest path to each token; the legs are in the order of their execution, so one pass knows. */
function depthsOf(legs: readonly DrawnLeg[], first: Address): Map<Address, number> {
  const depths = new Map([[first, 0]])
  for (const { tokenIn, tokenOut } of legs) {
    const depth = (depths.get(tokenIn) ?? 0) + 1
    depths.set(tokenOut, Math.max(depths.get(tokenOut) ?? 0, depth))
  }
  return depths
}

/**
 * A row for each leg: those that end in the same intermediate token lie in one band with those that leave it for the
 * route's output, so no two lines share a place.
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

/** The token as the route writes it. */
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
