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
      [a, 14],
      [b, 294],
    ])
    expect(parts(drawing)).toEqual([[1, '100']])
    expect(drawing.edges[0]!.path).toMatch(/^M126 37C.* 294 37$/)
  })

  test('default: a split has its parts, and the last leg the rest', () => {
    const legs = [leg(a, b, wad / 2n), leg(a, b, wad / 2n), leg(a, c, 0n), leg(c, b)]
    const drawing = RouteDrawing.from({ tokenIn: a, tokenOut: b, legs })
    expect(parts(drawing)).toEqual([
      [0.5, '50'],
      [0.25, '25'],
      [0.25, '25'],
      [0.25, '100'],
    ])
    // The output token is to the right of the intermediate token.
    expect(drawing.tokens.find(({ token: each }) => each === b)!.x).toBe(14 + 2 * 280)
  })

  test('behavior: compares addresses without regard to case, and keeps their first spelling', () => {
    const upper = `0x${'AB'.repeat(20)}` as Address
    const lower = upper.toLowerCase() as Address
    const legs = [leg(a, lower), leg(upper, b)]
    const { tokens } = RouteDrawing.from({ tokenIn: a, tokenOut: b, legs })
    expect(tokens.map(({ token: each }) => each)).toEqual([a, lower, b])
  })

  test('property: labels of two legs never overlap, and everything is inside of the picture', () => {
    const paths = fc.array(
      fc.constantFrom([leg(a, b)], [leg(a, c), leg(c, b)], [leg(a, d), leg(d, c), leg(c, b)]),
      { minLength: 1, maxLength: 6 },
    )
    fc.assert(
      fc.property(paths, (chosen) => {
        const order = [a, d, c]
        const legs = chosen
          .flat()
          .sort((x, y) => order.indexOf(x.tokenIn) - order.indexOf(y.tokenIn))
        const { edges, height, tokens, width } = RouteDrawing.from({
          tokenIn: a,
          tokenOut: b,
          legs,
        })
        const places = new Set(edges.map(({ label }) => `${label.x} ${label.y}`))
        expect(places.size).toBe(legs.length)
        for (const { label } of edges) expect(label.y).toBeLessThan(height)
        for (const { x, width: wide, y } of tokens) {
          expect(x + wide).toBeLessThan(width)
          expect(y).toBeLessThan(height)
        }
      }),
    )
  })
})
