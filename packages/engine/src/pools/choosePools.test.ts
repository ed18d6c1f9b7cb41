import { type Address, getAddress, type Hex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { choosePools, mixOf } from './choosePools.js'
import type { Held } from './createReadings.js'

const addressOf = (number: number) =>
  getAddress(`0x${number.toString(16).padStart(40, '0')}`) as Address
const [tokenIn, tokenOut, weth, dai] = [1, 2, 3, 4].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
]

/** A pool with these balances, by token. */
function poolOf(number: number, held: readonly (readonly [Address, number])[]): Held {
  return {
    pool: addressOf(number).toLowerCase() as Address,
    tokens: held.map(([token]) => token.toLowerCase() as Address),
    balances: held.map(([, balance]) => balance),
  }
}

/** Packs of these pools, among which no other has an id. */
function choose(pools: readonly Held[], isBanned?: (pool: Hex) => boolean) {
  return chooseOf({ held: pools, named: [] }, isBanned).held
}

function chooseOf(
  { held, named }: { held: readonly Held[]; named: readonly Held[] },
  isBanned?: (pool: Hex) => boolean,
) {
  const among = (pools: readonly Held[]) => ({
    holding: (token: Address) =>
      pools.filter(({ tokens }) => tokens.includes(token.toLowerCase() as Address)),
  })
  const trade = { tokenIn, tokenOut, through: [weth, dai], isBanned }
  return choosePools({ held: among(held), named: among(named) }, trade)
}

const direct = (number: number, amountIn: number, amountOut = amountIn) =>
  poolOf(number, [
    [tokenIn, amountIn],
    [tokenOut, amountOut],
  ])

describe('choosePools', () => {
  test('default: the deepest pool of both tokens first', () => {
    expect(choose([direct(100, 5), direct(101, 9), direct(102, 1)])).toEqual([
      [101, 100, 102].map(addressOf),
    ])
  })

  test('behavior: pools of each token, and between the tokens of other hops', () => {
    const pools = [
      direct(100, 1),
      poolOf(101, [
        [tokenIn, 1],
        [weth, 1],
      ]),
      poolOf(102, [
        [dai, 1],
        [tokenOut, 1],
      ]),
      poolOf(103, [
        [weth, 1],
        [dai, 1],
      ]),
    ]
    expect(choose(pools)).toEqual([[100, 101, 102, 103].map(addressOf)])
  })

  test('behavior: a pool of many tokens serves every pair of them, and is proposed once', () => {
    const all = [tokenIn, tokenOut, weth, dai].map((token) => [token, 1] as const)
    expect(choose([poolOf(100, all)])).toEqual([[addressOf(100)]])
  })

  test('behavior: pools that hold one of the tokens, and another beside it, do not serve', () => {
    const other = addressOf(9)
    const half = poolOf(100, [
      [tokenIn, 1e9],
      [other, 1e9],
    ])
    expect(choose([half])).toEqual([])
  })

  test('behavior: pools of dust, or deep on one side only, come after an honest pool', () => {
    const hostile = Array.from({ length: 100 }, (_, index) =>
      direct(200 + index, index % 2 ? 1 : 1e12, 1),
    )
    expect(choose([...hostile, direct(100, 1e9)])[0]![0]).toBe(addressOf(100))
  })

  test('behavior: pools of one pair leave room for those of another', () => {
    const many = Array.from({ length: 30 }, (_, index) => direct(200 + index, 1))
    const first = poolOf(100, [
      [tokenIn, 1],
      [weth, 1],
    ])
    const packs = choose([...many, first])
    expect(packs.map(({ length }) => length)).toEqual([8, 8, 8])
    expect(packs[0]).toContain(addressOf(100))
    expect(new Set(packs.flat()).size).toBe(24)
  })

  test('behavior: a banned pool is left out', () => {
    const isBanned = (pool: Hex) => pool === addressOf(101).toLowerCase()
    expect(choose([direct(100, 5), direct(101, 9)], isBanned)).toEqual([[addressOf(100)]])
  })

  test('behavior: pools with an id have a pack of their own, however deep they look', () => {
    const named = Array.from({ length: 9 }, (_, index) => ({
      ...direct(0, 1e30 - index * 1e29),
      pool: pad(`0xf${index}`, { dir: 'right', size: 32 }),
    }))
    expect(chooseOf({ held: [direct(100, 1)], named })).toEqual({
      held: [[addressOf(100)]],
      named: named.slice(0, 8).map(({ pool }) => pool),
    })
  })
})

describe('mixOf', () => {
  const [held, named] = [100, 200].map((first) =>
    Array.from({ length: 8 }, (_, index) => addressOf(first + index)),
  ) as [Address[], Address[]]

  test('default: half of the places are for pools with an id', () => {
    const mix = [...named.slice(0, 4), ...held.slice(0, 4)]
    expect(mixOf({ held: [held, [addressOf(1)]], named })).toEqual(mix)
  })

  test('behavior: the places that one kind leaves are for the other', () => {
    expect(mixOf({ held: [], named })).toEqual(named)
    expect(mixOf({ held: [held], named: [] })).toEqual(held)
    expect(mixOf({ held: [held.slice(0, 2)], named })).toEqual([
      ...[...named.slice(0, 4), ...held.slice(0, 2), ...named.slice(4, 6)],
    ])
    expect(mixOf({ held: [], named: [] })).toEqual([])
  })
})
