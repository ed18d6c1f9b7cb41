import { describe, expect, test } from 'vitest'
import { poolsOf } from '../src/parsePools.js'
import { parse } from '../src/schemas.js'

const first = '0x0000000000000000000000000000000000000001'
const second = '0x0000000000000000000000000000000000000002'
const pool = '0x0000000000000000000000000000000000000091'
const venues = [
  { id: 'derived', kind: 'uniswapV2' },
  { id: 'listed', kind: 'curve' },
] as const
const parsePools = (value: unknown) => parse(poolsOf(venues), value)
const entry = { venue: 'listed', address: pool, tokens: [first, second] }

describe('poolsOf', () => {
  test("default: replaces the venue's id by its number", () => {
    expect(parsePools([entry])).toEqual([{ venue: 2, pool, tokens: [first, second] }])
  })

  test.each([
    ['an unknown venue', { ...entry, venue: 'other' }, 'this config has no such venue'],
    ['a venue that derives its pools', { ...entry, venue: 'derived' }, 'its pools are not listed'],
    ['one token', { ...entry, tokens: [first] }, 'must contain 2 to 8 tokens'],
    ['a token twice', { ...entry, tokens: [first, first] }, 'twice'],
    ['no address', { venue: 'listed', tokens: [first, second] }, 'lacks "address"'],
  ])('error: %s', (_, bad, reason) => {
    expect(() => parsePools([bad])).toThrow(reason)
  })

  test('error: a pool twice', () => {
    expect(() => parsePools([entry, entry])).toThrow('twice')
  })
})
