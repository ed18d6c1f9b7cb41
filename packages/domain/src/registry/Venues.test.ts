import { hubAbi } from '@sluice/abi'
import { encodeFunctionResult, getAddress, type Hex, stringToHex, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import * as Venues from './Venues.js'

const factory = getAddress('0x00000000000000000000000000000000000000fa')
const pool = getAddress('0x00000000000000000000000000000000000000b0')
const none = `0x${'00'.repeat(20)}` as const

const venueOf = (id: string, changes: { kind: number; enabled?: boolean; feePips?: number }) => ({
  id: stringToHex(id, { size: 32 }),
  factory,
  venue: {
    enabled: true,
    unlockedWord: 0,
    feePips: 0,
    callback: '0x00000000',
    deployer: factory,
    initCodeHash: `0x${'00'.repeat(32)}`,
    ...changes,
  },
  tiers: [
    { key: 500n, feePips: 500, tickSpacing: 10 },
    { key: 60n, feePips: 0, tickSpacing: 60 },
  ],
})

function answersOf(
  venues: readonly ReturnType<typeof venueOf>[],
  pools: readonly { venue: number; pool: Hex; tokens: readonly Hex[] }[] = [],
): readonly Hex[] {
  const [abi, result] = [hubAbi, venues as never]
  return [
    encodeFunctionResult({ abi, functionName: 'venues', result }),
    encodeFunctionResult({ abi, functionName: 'pools', result: pools as never }),
  ]
}

describe('Venues.calls', () => {
  test('default: has the selectors of both functions', () => {
    const functions = ['venues()', 'pools()', 'connectorTokens()']
    expect(Venues.calls).toEqual(functions.map((name) => toFunctionSelector(name)))
  })
})

describe('Venues.decode', () => {
  test('default: numbers venues from one, in the order of the Hub', () => {
    const venues = [
      venueOf('uniswap-v2', { kind: 1, feePips: 3_000 }),
      venueOf('curve', { kind: 7, enabled: false }),
    ]
    const listed = [
      { venue: 2, pool, tokens: [] },
      { venue: 2, pool: none, tokens: [] },
      { venue: 1, pool, tokens: [] },
    ] as const
    const feeOfKey = new Map([[500n, 500]])
    expect([...Venues.decode(answersOf(venues, listed))!.values()]).toEqual([
      {
        number: 1,
        name: 'uniswap-v2',
        kind: 'uniswapV2',
        factory,
        isEnabled: true,
        feePips: 3_000,
        feeOfKey,
        keys: [500n, 60n],
        listedPools: undefined,
      },
      {
        number: 2,
        name: 'curve',
        kind: 'curve',
        factory,
        isEnabled: false,
        feePips: null,
        feeOfKey,
        keys: [500n, 60n],
        listedPools: 1,
      },
    ])
  })

  test('behavior: leaves out an unknown kind and keeps the numbers of the others', () => {
    const venues = [venueOf('later', { kind: 200 }), venueOf('uniswap-v3', { kind: 2 })]
    const found = Venues.decode(answersOf(venues))!
    expect([...found].map(([number, { name }]) => [number, name])).toEqual([[2, 'uniswap-v3']])
  })

  test('behavior: shows a hostile name as question marks', () => {
    const found = Venues.decode(answersOf([venueOf('<b>\u202e', { kind: 1 })]))!
    expect(found.get(1)!.name).toBe('?b??')
  })

  test.each([
    ['no result', []],
    ['one result', ['0x']],
    ['an empty result', ['0x', '0x']],
    ['an invalid offset', [`0x${'ff'.repeat(32)}`, `0x${'00'.repeat(32)}`]],
  ] as [string, Hex[]][])('error: %s is malformed', (_, answers) => {
    expect(Venues.decode(answers)).toBeUndefined()
  })
})

describe('Venues.feePipsOf', () => {
  const [v2, v3] = [
    ...Venues.decode(
      answersOf([venueOf('v2', { kind: 1, feePips: 2_500 }), venueOf('v3', { kind: 2 })]),
    )!.values(),
  ]

  test.each([
    ['the fee of the venue, whatever the key', v2!, 500n, 2_500],
    ['the fee of the tier', v3!, 500n, 500],
    ['null if the tier has no fixed fee', v3!, 60n, null],
    ['null for an unknown key', v3!, 7n, null],
  ] as const)('behavior: %s', (_, venue, key, expected) => {
    expect(Venues.feePipsOf(venue, { key })).toBe(expected)
  })
})

describe('Venues.hasHooks', () => {
  const [venue] = [...Venues.decode(answersOf([venueOf('v2', { kind: 1 })]))!.values()]

  test.each([
    ['a key of Uniswap V4 without hooks', 'uniswapV4', 1n << 47n, false],
    ['a key of Uniswap V4 with hooks', 'uniswapV4', 1n << 48n, true],
    ['an address', 'adapter', 1n << 167n, false],
    ['an id of a pool with hooks', 'adapter', 1n << 168n, true],
    ['an id of a pool that its own formula prices', 'adapter', (1n << 168n) | 1n, false],
  ] as const)('behavior: %s', (_, kind, key, expected) => {
    expect(Venues.hasHooks({ ...venue!, kind }, { key })).toBe(expected)
  })
})
