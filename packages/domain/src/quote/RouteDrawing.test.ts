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
const parts = ({ edges }: RouteDrawing.RouteDrawing) =>
  edges.map(({ part, percent }) => [part, percent])

describe('RouteDrawing.from', () => {
  test('default: draws one leg from one column to the next', () => {
    const drawing = RouteDrawing.from({ tokenIn: a, tokenOut: b, legs: [leg(a, b)] })
    expect(drawing.tokens.map(({ token: each, x }) => [each, x])).toEqual([
      [a, 8],
      [b, 258],
    ])
    expect(parts(drawing)).toEqual([[1, '100']])
    const { height, path, width } = { ...drawing, ...drawing.edges[0]! }
    const middle = height / 2
    expect(path).toBe(
      `M78 ${middle}C114 ${middle} 114 ${middle} 150 ${middle}L186 ${middle}C222 ${middle} 222 ${middle} 258 ${middle}`,
    )
    expect(width).toBe(336)
  })

  test('default: a split has its parts, and the last leg the rest', () => {
    const legs = [leg(a, b, wad / 2n), leg(a, b, wad / 2n), leg(a, c, 0n), leg(c, b)]
    const drawing = RouteDrawing.from({ tokenIn: a, tokenOut: b, legs })
    expect(parts(drawing)).toEqual([
      [0.5, '50'],
      [0.25, '25'],
      [0.25, '25'],
      [0.25, '25'],
    ])
    // The direct output lies behind the intermediate token.
    expect(drawing.tokens.find(({ token: each }) => each === b)!.x).toBe(8 + 2 * 250)
  })

  test('behavior: compares addresses without regard to case, and keeps their first spelling', () => {
    const upper = `0x${'AB'.repeat(20)}` as Address
    const lower = upper.toLowerCase() as Address
    const legs = [leg(a, lower), leg(upper, b)]
    const { tokens } = RouteDrawing.from({ tokenIn: a, tokenOut: b, legs })
    expect(tokens.map(({ token: each }) => each)).toEqual([a, lower, b])
  })

  test('behavior: small legs of one pair are folded into one band, and nothing is lost', () => {
    const small = wad / 100n
    const legs = [leg(a, b, small), leg(a, b, small), leg(a, b, small), leg(a, b)]
    const { edges } = RouteDrawing.from({ tokenIn: a, tokenOut: b, legs })
    expect(edges.map((edge) => edge.legs)).toEqual([[3], [0, 1, 2]])
    expect(edges.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(1, 2)
  })

  test('behavior: upright, the flow goes from top to bottom', () => {
    const route = { tokenIn: a, tokenOut: b, legs: [leg(a, c), leg(c, b)] }
    const { height, tokens, width } = RouteDrawing.from(route, { isVertical: true })
    expect(height).toBeGreaterThan(width)
    const byToken = new Map(tokens.map(({ token: each, y }) => [each, y]))
    expect([byToken.get(a)!, byToken.get(c)!, byToken.get(b)!]).toEqual([8, 174, 340])
  })

  test('property: no two bands share a place for their words, and nothing lies outside', () => {
    const paths = fc.array(
      fc.constantFrom([leg(a, b)], [leg(a, c), leg(c, b)], [leg(a, d), leg(d, c), leg(c, b)]),
      { minLength: 1, maxLength: 6 },
    )
    fc.assert(
      fc.property(paths, fc.boolean(), (chosen, isVertical) => {
        const order = [a, d, c]
        const legs = chosen
          .flat()
          .sort((x, y) => order.indexOf(x.tokenIn) - order.indexOf(y.tokenIn))
        const route = { tokenIn: a, tokenOut: b, legs }
        const { edges, height, tokens, width } = RouteDrawing.from(route, { isVertical })
        const places = new Set(edges.map(({ label }) => `${label.x} ${label.y}`))
        expect(places.size).toBe(edges.length)
        expect(edges.flatMap((edge) => edge.legs).sort((x, y) => x - y)).toEqual(
          legs.map((_, index) => index),
        )
        for (const { label } of edges) {
          expect([label.x > 0, label.x < width]).toEqual([true, true])
          expect([label.y > 0, label.y < height]).toEqual([true, true])
        }
        for (const { height: high, width: wide, x, y } of tokens) {
          expect([x >= 0, x + wide <= width]).toEqual([true, true])
          expect([y >= 0, y + high <= height]).toEqual([true, true])
        }
      }),
    )
  })
})
