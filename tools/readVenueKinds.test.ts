import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { moduleOfVenueKinds, readVenueKinds } from './readVenueKinds.js'

const source = readFileSync(
  new URL('../contracts/src/types/VenueKind.sol', import.meta.url),
  'utf8',
)
const solidly =
  '        | (SAMPLED | DERIVED | PUSH | FEE_ROUNDS_DOWN) << VenueKind.unwrap(SOLIDLY)\n'

describe('readVenueKinds', () => {
  test('default: returns each kind with its number and traits', () => {
    expect(readVenueKinds(source)[5]).toEqual({
      name: 'solidly',
      number: 6,
      traits: ['sampled', 'derived', 'push', 'feeRoundsDown'],
    })
  })

  test('default: equals the generated table of @sluice/abi', () => {
    const generated = readFileSync(
      new URL('../packages/abi/src/generated/venueKinds.ts', import.meta.url),
      'utf8',
    )
    expect(generated.endsWith(moduleOfVenueKinds(readVenueKinds(source)))).toBe(true)
  })

  test.each([
    ['a kind without a row', source.replace(solidly, ''), 'numbers and'],
    ['two kinds with the same number', source.replace('wrap(7)', 'wrap(6)'), 'a number twice'],
    ['a trait without a column', source.replace('| PUSH | FEE', '| PUSH | FOO | FEE'), 'FOO'],
    [
      'both derived and listed',
      source.replace('DERIVED | PUSH | FEE', 'DERIVED | LISTED | PUSH | FEE'),
      'derived, listed',
    ],
    [
      'no trait for payment',
      source.replace('DERIVED | PUSH | FEE', 'DERIVED | FEE'),
      'callback, push',
    ],
    ['no kinds', '', 'has no kinds'],
  ])('error: %s', (_, changed, reason) => {
    expect(changed).not.toBe(source)
    expect(() => readVenueKinds(changed)).toThrow(reason)
  })
})
