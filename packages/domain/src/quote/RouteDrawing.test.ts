import fc from 'fast-check'
import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { RouteDrawing } from '../index.js'

const token = (digit: number) => `0x${String(digit).repeat(40)}` as Address
const [a, b, c, d] = [1, 2, 3, 4].map(token) as [Address, Address, Address, Address]
const wad = 10n ** 18n
const leg = (tokenIn: Address, tokenOut: Address, share = wad) => {
  return { venue: 1, pool: token(9), tokenIn, tokenOut, share }
}
const venues = ['Uniswap V3 0.05 %', 'PancakeSwap V3 0.01 %', 'Aerodrome Slipstream 0.3 %', 'Curve']
const layout = {
  nameToken: (each: Address) => `TKN${each[2]}`,
  nameLeg: (index: number) => venues[index % venues.length]!,
}
/** As wide as a laptop's panel, and as a phone's. */
const [wide, narrow] = [603, 318] as const
const draw = (route: RouteDrawing.from.Route, width: number = wide) =>
  RouteDrawing.from(route, { ...layout, width })
const parts = ({ edges }: RouteDrawing.RouteDrawing) =>
  edges.map(({ part, percent }) => [part, percent])

describe('RouteDrawing.from', () => {
  test('default: draws one leg from one column to the next', () => {
    const drawing = draw({ tokenIn: a, tokenOut: b, legs: [leg(a, b)] })
    expect(drawing.tokens.map(({ token: each, x }) => [each, x])).toEqual([
      [a, 2],
      [b, 240],
    ])
    expect(parts(drawing)).toEqual([[1, '100']])
    const { height, path, width } = { ...drawing, ...drawing.edges[0]! }
    const middle = height / 2
    expect(path).toBe(
      `M60 ${middle}C96 ${middle} 96 ${middle} 132 ${middle}L168 ${middle}C204 ${middle} 204 ${middle} 240 ${middle}`,
    )
    expect(width).toBe(300)
    expect(drawing.edges[0]!.lines.map(({ isShare, text }) => [text, isShare])).toEqual([
      ['Uniswap V3 0.05 %', false],
      ['100 %', true],
    ])
  })

  test('default: a split has its parts, and the last leg the rest', () => {
    const legs = [leg(a, b, wad / 2n), leg(a, b, wad / 2n), leg(a, c, 0n), leg(c, b)]
    const drawing = draw({ tokenIn: a, tokenOut: b, legs })
    expect(parts(drawing)).toEqual([
      [0.5, '50'],
      [0.25, '25'],
      [0.25, '25'],
      [0.25, '25'],
    ])
    // The direct output lies behind the intermediate token.
    expect(drawing.tokens.find(({ token: each }) => each === b)!.x).toBe(2 + 2 * (58 + 180))
  })

  test('behavior: compares addresses without regard to case, and keeps their first spelling', () => {
    const upper = `0x${'AB'.repeat(20)}` as Address
    const lower = upper.toLowerCase() as Address
    const legs = [leg(a, lower), leg(upper, b)]
    const { tokens } = draw({ tokenIn: a, tokenOut: b, legs })
    expect(tokens.map(({ token: each }) => each)).toEqual([a, lower, b])
  })

  test('behavior: small legs of one pair are folded into one band, and nothing is lost', () => {
    const small = wad / 100n
    const legs = [leg(a, b, small), leg(a, b, small), leg(a, b, small), leg(a, b)]
    const { edges } = draw({ tokenIn: a, tokenOut: b, legs })
    expect(edges.map((edge) => edge.legs)).toEqual([[3], [0, 1, 2]])
    expect(edges.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(1, 2)
  })

  test('behavior: in a narrow place the flow goes from top to bottom', () => {
    const route = { tokenIn: a, tokenOut: b, legs: [leg(a, c), leg(c, b)] }
    const { height, isVertical, tokens, width } = draw(route, narrow)
    expect(isVertical).toBe(true)
    expect(height).toBeGreaterThan(width)
    const byToken = new Map(tokens.map(({ token: each, y }) => [each, y]))
    const step = 34 + 76 + 3 * 15
    expect([byToken.get(a)!, byToken.get(c)!, byToken.get(b)!]).toEqual([2, 2 + step, 2 + 2 * step])
  })

  test('behavior: pools of a pair that are all one band are not called more', () => {
    const legs = [...Array(9).keys()].flatMap(() => [leg(a, c, wad / 9n), leg(c, b, wad / 9n)])
    const route = { tokenIn: a, tokenOut: b, legs: legs.sort((x) => (x.tokenIn === a ? -1 : 1)) }
    const names = draw(route, 100).edges.map(({ name }) => name)
    expect(names).toContain('9 pools')
    expect(draw(route, wide).edges.map(({ name }) => name)).toContain('4 more pools')
  })

  test('behavior: three hops fit a laptop from left to right, and a phone from top to bottom', () => {
    const half = wad / 2n
    const legs = [leg(a, d), leg(d, c, half), leg(d, b), leg(c, b, half), leg(c, b)]
    const route = { tokenIn: a, tokenOut: b, legs }
    const [laptop, phone] = [draw(route, wide), draw(route, narrow)]
    expect([laptop.isVertical, laptop.width <= wide]).toEqual([false, true])
    expect([phone.isVertical, phone.width <= narrow]).toEqual([true, true])
  })

  test('property: no words lie over others or over a token, and nothing lies outside', () => {
    const paths = fc.array(
      fc.constantFrom([leg(a, b)], [leg(a, c), leg(c, b)], [leg(a, d), leg(d, c), leg(c, b)]),
      { minLength: 1, maxLength: 6 },
    )
    const room = fc.constantFrom(310, narrow, wide, 640, 900)
    const share = fc.constantFrom(wad, wad / 2n, wad / 30n, wad / 80n)
    fc.assert(
      fc.property(
        paths,
        room,
        fc.array(share, { minLength: 18, maxLength: 18 }),
        (chosen, width, shares) => {
          const order = [a, d, c]
          const legs = chosen
            .flat()
            .sort((x, y) => order.indexOf(x.tokenIn) - order.indexOf(y.tokenIn))
            .map((each, index) => ({ ...each, share: shares[index]! }))
          const drawing = draw({ tokenIn: a, tokenOut: b, legs }, width)
          expect(drawing.edges.flatMap((edge) => edge.legs).sort((x, y) => x - y)).toEqual(
            legs.map((_, index) => index),
          )
          const boxes = [
            ...drawing.edges.flatMap(({ lines }) => lines.map(boxOf)),
            ...drawing.tokens,
          ]
          for (const [index, box] of boxes.entries()) {
            expect([box.x >= 0, box.x + box.width <= drawing.width]).toEqual([true, true])
            expect([box.y >= 0, box.y + box.height <= drawing.height]).toEqual([true, true])
            for (const other of boxes.slice(index + 1)) expect(overlap(box, other)).toBe(false)
          }
          if (!drawing.isVertical) expect(drawing.width).toBeLessThanOrEqual(width)
        },
      ),
    )
  })
})

type Box = { x: number; y: number; width: number; height: number }

/** Room of a line of 12.5 pixels in a wide font. */
function boxOf({ isShare, text, x, y }: RouteDrawing.DrawnLine): Box {
  const width = text.length * (isShare ? 8.75 : 7.75)
  return { x: x - width / 2, y: y - 10, width, height: 13 }
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  )
}
