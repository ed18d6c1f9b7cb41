import type { RpcCall, RpcOutcome } from '@sluice/rpc'
import { pad, toHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeAdapter, type FakeAdapter } from '../../test/fakeAdapter.js'
import { readCurves } from './readCurves.js'

const [adapter, tokenA, tokenB] = [1, 3, 4].map((n) => pad(toHex(n), { size: 20 })) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]
const idOf = (number: number) => pad(toHex(number), { dir: 'right', size: 32 })
const million = 2 ** 20

let fake: FakeAdapter

beforeEach(() => {
  fake = createFakeAdapter()
})

/** @param most How much of each token any pool is known to hold. */
const read = async (number: number, most: readonly [number, number]) => {
  const [held] = await readCurves(
    fake.ask,
    [{ adapter, id: idOf(number), tokens: [tokenA, tokenB], most }],
    undefined,
  )
  return held?.balances
}
/** As much of one token as the other's constant product leaves. */
const product = (reserveA: bigint, reserveB: bigint) => (sellsFirst: boolean, amount: bigint) => {
  const [from, to] = sellsFirst ? [reserveA, reserveB] : [reserveB, reserveA]
  return (to * amount) / (from + amount)
}

describe('readCurves', () => {
  test('default: what a pool pays for as much as any pool is known to hold', async () => {
    fake.know(idOf(1), product(16n * 4n ** 10n, 16n * 4n ** 10n))
    const paid = Math.floor((16 * 4 ** 20) / (17 * 4 ** 10))
    expect(await read(1, [million, million])).toEqual([paid, paid])
  })

  test('behavior: a pool that is shallower than the deepest counts for what it pays near its price', async () => {
    fake.know(idOf(1), product(1_000n * 10n ** 9n, 1_000n * 10n ** 9n))
    // It pays 94 % of the price for 64e9, and 80 % for 256e9.
    const most = million * 1e9
    const paid = Math.floor((1_000e9 * 64) / 1_064)
    expect(await read(1, [most, most])).toEqual([paid, paid])
  })

  test('behavior: a pool that refuses large sales pays the last one that it takes', async () => {
    fake.know(idOf(1), (_, amount) => (amount > 5_000n ? 0n : 2n * amount))
    expect(await read(1, [million, million])).toEqual([8_192, 8_192])
  })

  test('behavior: a pool that refuses small sales pays larger ones', async () => {
    fake.know(idOf(1), (_, amount) => (amount < 100n ? 0n : amount))
    expect(await read(1, [million, million])).toEqual([million, million])
  })

  test('behavior: of a token that nobody knows as much is sold as the pool pays', async () => {
    fake.know(idOf(1), product(4_000_000n, 4_000_000_000n))
    const [paidA, paidB] = (await read(1, [4 ** 9, 0]))!
    expect(paidB).toBe(Math.floor((4_000_000_000 * 4 ** 9) / (4_000_000 + 4 ** 9)))
    expect(paidA).toBe(Math.floor((4_000_000 * paidB!) / (4_000_000_000 + paidB!)))
  })

  test('behavior: a token that others hold too little of, or too much, is sold in the amount that the pool pays', async () => {
    fake.know(idOf(1), (sellsFirst, amount) => (sellsFirst || amount < 2n ** 21n ? amount : 0n))
    expect(await read(1, [million, 16])).toEqual([million, million])
    expect(await read(1, [million, 1e30])).toEqual([million, million])
  })

  test('behavior: a pool that takes one token alone has none of it', async () => {
    fake.know(idOf(1), (sellsFirst, amount) => (sellsFirst ? amount : 0n))
    expect(await read(1, [million, million])).toEqual([0, million])
  })

  test('behavior: few questions are enough for a pool that pays nothing, and two for one that nobody announced', async () => {
    fake.know(idOf(1), () => 0n)
    expect(await read(1, [million, million])).toBeUndefined()
    expect(fake.counts).toEqual({ keysOf: 2, read: 1, quote: 6 })
    fake.reset()
    expect(await read(2, [million, million])).toBeUndefined()
    expect(fake.counts).toEqual({ keysOf: 2, read: 0, quote: 0 })
  })

  test('behavior: a pool that pays absurd amounts spoils nothing', async () => {
    fake.know(idOf(1), (sellsFirst) => (sellsFirst ? 2n ** 256n - 1n : 0n))
    fake.know(idOf(2), (_, amount) => amount)
    const both = [1, 2].map((number) => ({
      ...{ adapter, id: idOf(number), tokens: [tokenA, tokenB] as const },
      most: [million, million] as const,
    }))
    const found = await readCurves(fake.ask, both, undefined)
    expect(found.map((held) => held?.balances)).toEqual([
      [0, 2 ** 256],
      [million, million],
    ])
  })

  test('error: the node does not answer', async () => {
    const silent = async (calls: readonly RpcCall[]) =>
      calls.map(() => ({ ok: false, failure: 'timeout' }) as RpcOutcome)
    const pool = { adapter, id: idOf(1), tokens: [tokenA, tokenB], most: [1, 1] } as const
    await expect(readCurves(silent, [pool], undefined)).rejects.toThrow('did not answer')
  })
})
