import { type Address, concat, type Hex, numberToHex, pad, toEventSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { openPoolStore } from './PoolStore.js'
import { pickPools } from './pickPools.js'
import { poolTopics } from './poolEvents.js'

const chainId = 1
const noHash = pad('0x00')
const token = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`

async function storeOf(pairs: readonly (readonly [number, number])[]) {
  const store = openPoolStore(':memory:')
  const logs = pairs.map(([first, second], index) => ({
    address: token(99),
    topics: [poolTopics[0]!, pad(token(first)), pad(token(second))] as readonly Hex[],
    data: concat([pad(numberToHex(index + 1_000)), pad('0x01')]),
    blockNumber: index,
    blockHash: noHash,
    logIndex: 0,
    transactionHash: noHash,
  }))
  await store.logs(chainId, []).append(undefined, { logs, blocks: [{ number: 9, hash: noHash }] })
  return store
}

const initialize = toEventSelector(
  'Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)',
)

/** Adds pools of custom curves between these tokens, one in each further block. */
async function addCurves(
  store: Awaited<ReturnType<typeof storeOf>>,
  pairs: readonly (readonly [number, number])[],
): Promise<void> {
  const words: readonly Hex[] = ['0x01f4', '0x0a', '0x88', '0x01', '0x00']
  const logs = pairs.map(([first, second], index) => ({
    address: token(98),
    topics: [
      ...[initialize, pad(numberToHex(pairs.length - index), { size: 32 })],
      ...[pad(token(first)), pad(token(second))],
    ],
    data: concat(words.map((word) => pad(word))),
    blockNumber: 100 + index,
    blockHash: noHash,
    logIndex: 0,
    transactionHash: noHash,
  }))
  const blocks = [{ number: 100_000, hash: noHash }]
  await store.logs(chainId, []).append(undefined, { logs, blocks })
}

const pairsOf = (pools: Awaited<ReturnType<typeof pickPools>>) =>
  pools.map(({ token0, token1 }) => [Number(token0), Number(token1)])

describe('pickPools', () => {
  test('default: all pools, over several pages', async () => {
    const pairs = Array.from({ length: 4_100 }, (_, index) => [1, index + 2] as const)
    const picked = await pickPools(await storeOf(pairs), chainId, 5_000)
    expect(picked).toHaveLength(4_100)
    expect(picked[0]).toMatchObject({ factory: token(99), shape: 'reserves', feePips: 3_000 })
  })

  test('behavior: if there are too many, those between the tokens with the most pools, without dead ends', async () => {
    const store = await storeOf([
      [1, 2],
      [1, 3],
      [2, 3],
      [1, 4],
      [1, 5],
      [3, 5],
      [1, 6],
    ])
    expect(pairsOf(await pickPools(store, chainId, 3))).toEqual([
      [1, 3],
      [1, 2],
      [2, 3],
    ])
    expect(pairsOf(await pickPools(store, chainId, 6))).not.toContainEqual([1, 4])
  })

  test('behavior: pools of custom curves take no places from others, and do not make tokens look connected', async () => {
    const store = await storeOf([
      [1, 2],
      [1, 3],
      [2, 3],
      [1, 4],
    ])
    await addCurves(
      store,
      Array.from({ length: 40 }, () => [4, 5] as const),
    )
    const picked = await pickPools(store, chainId, 4)
    expect(pairsOf(picked)).toEqual([
      [1, 2],
      [1, 3],
      [2, 3],
      [4, 5],
    ])
  })

  test('behavior: a crowd of custom curves between popular tokens does not hide those of others', async () => {
    const pairs = Array.from({ length: 60 }, (_, index) => [1, 2 + (index % 3)] as const)
    const store = await storeOf(pairs)
    // Token 9 has no other pool.
    await addCurves(store, [
      ...Array.from({ length: 1_000 }, () => [1, 2] as const),
      ...([
        [1, 3],
        [1, 9],
        [1, 3],
      ] as const),
    ])
    // A quarter of the limit. The first pools of a pair are the oldest.
    const curves = (await pickPools(store, chainId, 48)).filter(({ shape }) => shape !== 'reserves')
    expect(pairsOf(curves)).toEqual([
      ...[
        [1, 2],
        [1, 3],
        [1, 2],
        [1, 3],
        [1, 2],
      ],
      ...[
        [1, 2],
        [1, 9],
        [1, 2],
        [1, 2],
        [1, 2],
        [1, 2],
        [1, 2],
      ],
    ])
    expect(curves[0]!.blockNumber).toBe(100)
  })

  test('behavior: if there are few pools, all custom curves are picked, the second of a pair after the first of others', async () => {
    const store = await storeOf([
      [1, 2],
      [1, 3],
    ])
    await addCurves(store, [
      [1, 2],
      [1, 2],
      [1, 3],
      [4, 5],
    ])
    expect(pairsOf(await pickPools(store, chainId, 10)).slice(2)).toEqual([
      [1, 2],
      [1, 3],
      [4, 5],
      [1, 2],
    ])
  })
})
