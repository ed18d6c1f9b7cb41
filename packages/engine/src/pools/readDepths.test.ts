import { lensAbi } from '@sluice/abi'
import { type Address, decodeFunctionData, encodeFunctionResult, type Hex, pad, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { AskNode } from '../logs/AskNode.js'
import type { IndexedPool, PoolShape } from './poolEvents.js'
import { readDepths } from './readDepths.js'

const [token0, token1]: readonly Address[] = [`0x${'01'.repeat(20)}`, `0x${'02'.repeat(20)}`]
const manager: Address = `0x${'ff'.repeat(20)}`
const noHash = pad('0x00')

function poolOf(shape: PoolShape, number = 16): IndexedPool {
  const hasId = ['singleton', 'hooked', 'infinity', 'customCurve'].includes(shape)
  const pool = pad(toHex(number), { size: hasId ? 32 : 20 })
  return {
    pool,
    token0: token0!,
    token1: token1!,
    blockNumber: 1,
    factory: manager,
    shape,
    feePips: 3_000,
  }
}

type Answer = readonly bigint[] | undefined

/** A node whose Lens returns these answers, by target, or by target and calldata. Everything else reverts. */
function nodeOf(answers: Record<string, Answer>, counts = { calls: 0 }): AskNode {
  return async (calls) =>
    calls.map(({ params }) => {
      counts.calls++
      const [{ data }] = params as [{ data: Hex }]
      const { args } = decodeFunctionData({ abi: lensAbi, data })
      const asks = args![0] as readonly { target: Address; data: Hex }[]
      const read = asks.map((ask) => {
        const target = ask.target.toLowerCase()
        const found = answers[`${target} ${ask.data.slice(0, 10)}`] ?? answers[target]
        const words = [0, 1, 2].map((place) => toHex(found?.[place] ?? 0n, { size: 32 }))
        return {
          ok: found !== undefined,
          size: BigInt(32 * (found?.length ?? 0)),
          words: words as [Hex, Hex, Hex],
        }
      })
      const witness = { chainId: 1n, blockNumber: 1n, timestamp: 1n, parentHash: noHash }
      const result = encodeFunctionResult({
        abi: lensAbi,
        functionName: 'read',
        result: [witness, read],
      })
      return { ok: true, result }
    })
}

const usual = { token0, token1, afterFee: 0.997 }

describe('readDepths', () => {
  test('default: the depth of a pair is its reserves', async () => {
    const pool = poolOf('reserves')
    const node = nodeOf({ [pool.pool]: [500n, 700n, 9n] })
    expect(await readDepths(node, [pool])).toEqual([
      { ...usual, reserve0: 500, reserve1: 700, most0: 500, most1: 700 },
    ])
  })

  test('behavior: a V3 pool has virtual reserves from price and liquidity, and pays at most its balances', async () => {
    const pool = poolOf('range')
    const node = nodeOf({
      // slot0: a price of four, so its square root is two; a liquidity of 1,000.
      [`${pool.pool} 0x3850c7bd`]: [2n * 2n ** 96n, 13_863n, 0n],
      [`${pool.pool} 0x1a686502`]: [1_000n],
      [token0!]: [50n],
      [token1!]: [80n],
    })
    expect(await readDepths(node, [pool])).toEqual([
      { ...usual, reserve0: 500, reserve1: 2_000, most0: 50, most1: 80 },
    ])
  })

  test('behavior: a V4 pool is read from the PoolManager', async () => {
    const node = nodeOf({ [manager]: [2n ** 96n] })
    expect(await readDepths(node, [poolOf('singleton')])).toEqual([
      {
        ...usual,
        isEstimate: true,
        reserve0: 2 ** 96,
        reserve1: 2 ** 96,
        most0: 0.05 * 2 ** 96,
        most1: 0.05 * 2 ** 96,
      },
    ])
  })

  test('behavior: a pool that can be found by its id alone says so, and who keeps it', async () => {
    const named = { id: pad('0x10', { size: 32 }), manager }
    const held = { most0: 25, most1: 100 }
    const ofHooked = nodeOf({ [manager]: [2n * 2n ** 96n] })
    const [hooked] = await readDepths(ofHooked, [poolOf('hooked')])
    expect(hooked).toMatchObject({ ...usual, named, reserve0: 2 ** 96, reserve1: 4 * 2 ** 96 })
    const ofInfinity = nodeOf({
      // getSlot0(bytes32) and getLiquidity(bytes32): a price of four, and a liquidity of 1,000.
      [`${manager} 0xc815641c`]: [2n * 2n ** 96n, 13_863n, 0n],
      [`${manager} 0xfa6793d5`]: [1_000n],
    })
    expect(await readDepths(ofInfinity, [poolOf('infinity')])).toEqual([
      { ...usual, named, reserve0: 500, reserve1: 2_000, ...held, isEstimate: true },
    ])
  })

  test('behavior: a custom curve is as deep as its liquidity, and has no depth without', async () => {
    const pool = poolOf('customCurve')
    const named = { id: pool.pool, manager }
    const [depth] = await readDepths(nodeOf({ [manager]: [2n * 2n ** 96n] }), [pool])
    expect(depth).toMatchObject({ ...usual, named, reserve0: 2 ** 96, isEstimate: true })
    // Price and liquidity are two words; only the pool's liquidity is zero.
    let asked = 0
    const blank: AskNode = async (calls) =>
      calls.map(() => {
        const words = (value: bigint) => [value, 0n, 0n].map((each) => toHex(each, { size: 32 }))
        const answer = (value: bigint) => ({
          ok: true,
          size: 32n,
          words: words(value) as [Hex, Hex, Hex],
        })
        asked++
        const witness = { chainId: 1n, blockNumber: 1n, timestamp: 1n, parentHash: noHash }
        const result = encodeFunctionResult({
          abi: lensAbi,
          functionName: 'read',
          result: [witness, [answer(2n ** 96n), answer(0n)]],
        })
        return { ok: true, result }
      })
    expect(await readDepths(blank, [pool])).toEqual([])
    expect(asked).toBe(1)
  })

  test('behavior: the price of a stable pool comes from a quote, not from its reserves', async () => {
    const pool = poolOf('stableReserves')
    const node = nodeOf({
      [`${pool.pool} 0x0902f1ac`]: [1_000_000n, 3_000_000n, 0n],
      [`${pool.pool} 0xf140a35a`]: [1_000n],
    })
    expect(await readDepths(node, [pool])).toEqual([
      { ...usual, reserve0: 40e6, reserve1: 40e6, most0: 1e6, most1: 3e6 },
    ])
  })

  test('behavior: pools that are empty or fail are left out without affecting others', async () => {
    const pools = [1, 2, 3, 4].map((number) => poolOf('reserves', number))
    const node = nodeOf({
      [pools[0]!.pool]: [0n, 0n, 0n],
      [pools[2]!.pool]: [],
      [pools[3]!.pool]: [5n, 6n],
    })
    expect(await readDepths(node, pools)).toMatchObject([{ reserve0: 5, reserve1: 6 }])
  })

  test('behavior: reads many pools in few calls', async () => {
    const pools = Array.from({ length: 250 }, (_, index) => poolOf('reserves', index + 1))
    const counts = { calls: 0 }
    const answers = Object.fromEntries(pools.map(({ pool }) => [pool, [7n, 8n]]))
    expect(await readDepths(nodeOf(answers, counts), pools)).toHaveLength(250)
    expect(counts.calls).toBe(5)
  })

  test('error: a node that does not answer', async () => {
    const silent: AskNode = async (calls) => calls.map(() => ({ ok: false, failure: 'timeout' }))
    await expect(readDepths(silent, [poolOf('reserves')])).rejects.toThrow(
      'The node did not answer.',
    )
  })
})
