import { describe, expect, test } from 'vitest'
import { createFakeLogChain } from '../../test/fakeLogChain.js'
import { followed } from '../../test/swapLogs.js'
import { findFirstBlock } from './findFirstBlock.js'

const contracts = followed.map(({ address }) => address)

function chainOf(blocks: number, createdAt: number) {
  const chain = createFakeLogChain()
  for (let block = 1; block < blocks; block++) chain.mine([])
  chain.createdAt = createdAt
  return chain
}

describe('findFirstBlock', () => {
  test.each([1, 2, 4_321, 7_999])(
    'default: finds block %i, in which the contracts were created',
    async (createdAt) => {
      expect(await findFirstBlock(chainOf(8_000, createdAt).ask, contracts)).toBe(createdAt)
    },
  )

  test('behavior: zero for a short chain', async () => {
    expect(await findFirstBlock(chainOf(100, 50).ask, contracts)).toBe(0)
  })

  test('behavior: zero if the node keeps no old state', async () => {
    const chain = chainOf(8_000, 6_000)
    chain.isPruned = true
    expect(await findFirstBlock(chain.ask, contracts)).toBe(0)
  })

  test('behavior: undefined if no contract is deployed', async () => {
    expect(await findFirstBlock(chainOf(100, 100).ask, contracts)).toBeUndefined()
  })

  test('error: a node that does not answer', async () => {
    const silent = async () => [
      { ok: false, failure: 'connect' } as const,
      { ok: false, failure: 'connect' } as const,
    ]
    await expect(findFirstBlock(silent, contracts)).rejects.toMatchObject({ fault: 'unreachable' })
  })
})
