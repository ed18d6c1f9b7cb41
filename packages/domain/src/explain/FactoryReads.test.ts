import { type Address, decodeFunctionData, getAddress, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Venue } from '../registry/Venues.js'
import * as FactoryReads from './FactoryReads.js'

const [weth, tokenIn, tokenOut, factory, pool] = ['a1', 'b2', 'c3', 'fa', 'b0'].map((digits) =>
  getAddress(`0x${digits.repeat(20)}`),
) as [Address, Address, Address, Address, Address]
const tokens = [weth, tokenIn, tokenOut]

function venueOf(number: number, changes: Partial<Venue>): [number, Venue] {
  const fees = { feePips: null, feeOfKey: new Map(), keys: [] }
  const named = { number, name: `venue ${number}`, kind: 'uniswapV2' as const, factory }
  return [number, { ...named, isEnabled: true, listedPools: undefined, ...fees, ...changes }]
}

const venues = new Map([
  venueOf(1, {}),
  venueOf(2, { kind: 'uniswapV3', keys: [500n, 3_000n] }),
  venueOf(3, { kind: 'uniswapV4' }),
  venueOf(4, { kind: 'curve', listedPools: 3 }),
  venueOf(5, { isEnabled: false }),
])

describe('FactoryReads', () => {
  test('default: asks for the pools of the pair, then of each token with those between', () => {
    const abi = parseAbi([
      'function getPair(address, address)',
      'function getPool(address, address, uint24)',
    ])
    const reads = FactoryReads.of({ tokens }, venues)
    expect(
      reads.map(({ data, venue }) => [venue, ...decodeFunctionData({ abi, data }).args]),
    ).toEqual(
      [[tokenIn, tokenOut] as const, [tokenIn, weth] as const, [weth, tokenOut] as const].flatMap(
        ([from, to]) => [
          [1, from, to],
          [2, from, to, 500],
          [2, from, to, 3_000],
        ],
      ),
    )
    expect(FactoryReads.silentVenues(venues)).toEqual(['venue 3'])
  })

  test('behavior: keeps pools that exist and that the search does not have', () => {
    const reads = FactoryReads.of({ tokens }, venues).slice(0, 5)
    const words = [BigInt(pool), 0n, undefined, BigInt(factory), 2n ** 255n]
    const own = { address: factory } as never
    const place = { venue: 1, tokenIn, tokenOut }
    expect(FactoryReads.leftOut({ pools: [own] }, reads, words)).toEqual([{ ...place, pool }])
  })
})
