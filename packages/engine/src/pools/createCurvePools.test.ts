import { type Address, type Hex, pad, toHex, zeroAddress } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeAdapter, type FakeAdapter } from '../../test/fakeAdapter.js'
import { type CurvePools, createCurvePools } from './createCurvePools.js'
import type { IndexedPool } from './poolEvents.js'
import type { Depth } from './readDepths.js'

const minute = 60_000
const addressOf = (number: number): Address => pad(toHex(number), { size: 20 })
const [adapter, manager, token, wrapped, unknown] = [1, 2, 3, 4, 5].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]
const idOf = (number: number): Hex => pad(toHex(number, { size: 4 }), { dir: 'right', size: 32 })
const venue = { adapter, registry: addressOf(6), manager }
const most = 4 ** 10

let fake: FakeAdapter
let curves: CurvePools
let time: number

beforeEach(() => {
  fake = createFakeAdapter()
  time = 0
  curves = createCurvePools({ brought: undefined, now: () => time, wrappedNative: wrapped })
})

const poolOf = (number: number, more: Partial<IndexedPool> = {}): IndexedPool => ({
  ...{ pool: idOf(number), token0: token, token1: wrapped, blockNumber: 1, factory: manager },
  ...{ shape: 'customCurve', feePips: 0, ...more },
})
/** The only pool of others: it has the token and the wrapped native one. */
const deepest: Depth = {
  ...{ token0: token, token1: wrapped, reserve0: 1e6, reserve1: 1e6, most0: most, most1: 2 * most },
  afterFee: 1,
}
const refresh = (pools: readonly IndexedPool[], depths: readonly Depth[] = [deepest]) =>
  curves.refresh(fake.ask, { attested: [venue], pools, depths, held: [], valued: [wrapped] })
const namesIn = (asked: Address) => curves.holding(asked).map(({ pool }) => pool)

describe('CurvePools.refresh', () => {
  test('default: what pools pay for as much of each token as the deepest pool has', async () => {
    fake.know(idOf(1), (_, amount) => amount)
    expect(await refresh([poolOf(1)])).toBe(true)
    // What it pays of the token for all wrapped ones is more than the deepest pool has, and is sold back.
    const found = [{ pool: idOf(1), tokens: [token, wrapped], balances: [2 * most, 2 * most] }]
    expect([curves.holding(token), curves.holding(wrapped)]).toEqual([found, found])
  })

  test('behavior: the native currency counts as its wrapped token, in the order of the addresses', async () => {
    fake.know(idOf(1), (sellsFirst, amount) => (sellsFirst ? 3n * amount : amount))
    await refresh([poolOf(1, { token0: zeroAddress, token1: token })])
    const found = { pool: idOf(1), tokens: [token, wrapped], balances: [3 * most, 6 * most] }
    expect(curves.holding(wrapped)).toEqual([found])
  })

  test('behavior: a token of which only such a pool is known leads on to another one', async () => {
    for (const number of [1, 2]) fake.know(idOf(number), (_, amount) => amount)
    const pools = [
      poolOf(1, { token1: unknown }),
      poolOf(2, { token0: unknown, token1: addressOf(9) }),
    ]
    await refresh(pools)
    expect(namesIn(unknown)).toEqual([idOf(1)])
    await refresh(pools)
    expect(namesIn(unknown)).toEqual([idOf(1), idOf(2)])
  })

  test('behavior: asks nothing of other shapes, other keepers, one token alone, and two that nobody knows', async () => {
    const pools = [
      poolOf(1, { shape: 'hooked' }),
      poolOf(2, { factory: addressOf(8) }),
      poolOf(3, { token0: zeroAddress }),
      poolOf(4, { token0: unknown, token1: addressOf(9) }),
    ]
    expect(await refresh(pools)).toBe(false)
    expect(fake.counts.keysOf).toBe(0)
  })

  test('behavior: asks an empty pool again after ten minutes, and then ever more rarely', async () => {
    fake.know(idOf(1), () => 0n)
    await refresh([poolOf(1)])
    const askedAfter = async (minutes: number) => {
      time += minutes * minute
      fake.reset()
      await refresh([poolOf(1)])
      return fake.proposed.length
    }
    expect([await askedAfter(9), await askedAfter(1)]).toEqual([0, 1])
    expect([await askedAfter(19), await askedAfter(1)]).toEqual([0, 1])
    for (let times = 0; times < 10; times++) await askedAfter(24 * 60)
    expect([await askedAfter(24 * 60 - 1), await askedAfter(1)]).toEqual([0, 1])
    fake.know(idOf(1), (_, amount) => amount)
    expect(await askedAfter(24 * 60)).toBe(1)
    expect(namesIn(token)).toEqual([idOf(1)])
  })

  test('behavior: ten thousand pools that pay nothing neither hide nor delay those that pay', async () => {
    for (const number of [1, 2]) fake.know(idOf(number), (_, amount) => amount)
    await refresh([poolOf(1)])
    const spam = Array.from({ length: 10_000 }, (_, index) => poolOf(1_000 + index))
    for (const { pool } of spam) fake.know(pool, () => 0n)
    const pools = [...spam, poolOf(1)]
    fake.reset()
    while (fake.proposed.length < spam.length) {
      const before = fake.proposed.length
      await refresh(pools)
      expect(fake.proposed.length - before).toBe(100)
    }
    // All are due, and the one that pays is read before any of those that do not. A new one is as well.
    time += 24 * 60 * minute
    fake.reset()
    await refresh([...pools, poolOf(2)])
    expect(fake.proposed.slice(0, 2)).toEqual([idOf(2), idOf(1)])
    expect(namesIn(token)).toEqual([idOf(1), idOf(2)])
  })

  test('behavior: forgets pools that are announced no more', async () => {
    fake.know(idOf(1), (_, amount) => amount)
    await refresh([poolOf(1)])
    expect(await refresh([])).toBe(false)
    expect(curves.holding(token)).toEqual([])
  })
})
