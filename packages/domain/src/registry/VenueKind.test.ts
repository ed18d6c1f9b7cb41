import { describe, expect, test } from 'vitest'
import * as VenueKind from './VenueKind.js'

describe('VenueKind', () => {
  test('default: has the numbers of the contracts', () => {
    expect(VenueKind.numberOf('uniswapV2')).toBe(1)
    expect(VenueKind.numberOf('balancerStable')).toBe(9)
    const numbers = VenueKind.names.map(VenueKind.numberOf)
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  test('behavior: knows the traits of a kind', () => {
    expect(VenueKind.has('solidly', 'sampled')).toBe(true)
    expect(VenueKind.has('solidly', 'listed')).toBe(false)
    expect(VenueKind.has('balancerStable', 'allowance')).toBe(true)
    expect(VenueKind.names.filter((name) => VenueKind.has(name, 'native'))).toContain('uniswapV4')
  })

  test('behavior: accepts only names of kinds', () => {
    expect(['curve', 'Curve', 'toString', 7, undefined].filter(VenueKind.isName)).toEqual(['curve'])
  })
})
