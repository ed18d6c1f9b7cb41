import { describe, expect, test } from 'vitest'
import { parsePools } from '../src/parsePools.js'
import type { VenueEntry } from '../src/parseVenue.js'

const first = '0x0000000000000000000000000000000000000001'
const second = '0x0000000000000000000000000000000000000002'
const pool = '0x0000000000000000000000000000000000000091'
const venues = [
  { id: 'derived', kind: 'uniswapV2' },
  { id: 'listed', kind: 'curve' },
] as unknown as VenueEntry[]
const entry = { venue: 'listed', address: pool, tokens: [first, second] }

describe('parsePools', () => {
  test("default: replaces the venue's id by its number", () => {
    expect(parsePools([entry], venues)).toEqual([{ venue: 2, pool, tokens: [first, second] }])
  })

  test.each([
    ['an unknown venue', { ...entry, venue: 'other' }, 'this config has no such venue'],
    [
      'a venue that derives its pools',
      { ...entry, venue: 'derived' },
      'its pools are derived, not listed',
    ],
    ['one token', { ...entry, tokens: [first] }, 'must contain 2 to 8 tokens'],
    ['a token twice', { ...entry, tokens: [first, first] }, 'twice'],
    ['no address', { venue: 'listed', tokens: [first, second] }, 'lacks "address"'],
  ])('error: %s', (_, bad, reason) => {
    expect(() => parsePools([bad], venues)).toThrow(reason)
  })

  test('error: a pool twice', () => {
    expect(() => parsePools([entry, entry], venues)).toThrow('twice')
  })
})
