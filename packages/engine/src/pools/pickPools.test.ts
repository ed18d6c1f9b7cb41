import { type Address, concat, type Hex, numberToHex, pad } from 'viem'
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
})
