import { expect, test } from 'vitest'
import { VenueNames } from '../index.js'

test.each([
  ['uniswap-v3', 'Uniswap V3'],
  ['pancakeswap-v3', 'PancakeSwap V3'],
  ['aerodrome-slipstream-gauge-caps', 'Aerodrome Slipstream Gauge Caps'],
  ['<b>', '?b?'],
])('default: %s is %s', (id, name) => {
  expect(VenueNames.of(id)).toBe(name)
})

test.each([
  [{ venue: 2, venueName: 'uniswap-v3', feePips: 500 }, 'Uniswap V3 0.05 %'],
  [{ venue: 2, venueName: 'uniswap-v3', feePips: null }, 'Uniswap V3'],
  [{ venue: 3 }, 'Venue 3'],
])('default: a leg of %o is %s', (leg, name) => {
  expect(VenueNames.ofLeg(leg)).toBe(name)
})
