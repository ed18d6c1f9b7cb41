import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, concat, pad } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { openPoolStore } from './PoolStore.js'
import { poolTopics } from './poolEvents.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-tokens-'))
const chainId = 1
const hash = pad('0x07')
const [a, b, asset] = [10, 11, 12].map((n) => pad(`0x${n}`, { size: 20 })) as [
  Address,
  Address,
  Address,
]

afterAll(() => {
  rmSync(folder, { recursive: true })
})

async function storeWithPool(path: string, block: number) {
  const store = openPoolStore(path)
  const log = {
    address: asset,
    topics: [poolTopics[0]!, pad(a), pad(b)],
    data: concat([pad('0x99'), pad('0x01')]),
    blockNumber: block,
    blockHash: hash,
    logIndex: 0,
    transactionHash: hash,
  }
  const blocks = [{ number: block, hash }]
  await store.logs(chainId, []).append(undefined, { logs: [log], blocks })
  return store
}

test('default: asks each token of a pool once, and then the assets that are named', async () => {
  const { tokens } = await storeWithPool(':memory:', 5)
  expect(tokens.unasked(chainId, 9)).toEqual([b, a])
  tokens.answer(
    chainId,
    new Map([
      [a, asset],
      [b, undefined],
    ]),
    6,
  )
  expect(tokens.unasked(chainId, 9)).toEqual([asset])
  expect(tokens.vaults(chainId, 9)).toEqual([{ vault: a, asset }])
})

test('behavior: a restart remembers the answers', async () => {
  const path = join(folder, 'tokens.db')
  const first = await storeWithPool(path, 5)
  first.tokens.answer(chainId, new Map([[a, asset]]), 6)
  first.close()
  const second = openPoolStore(path)
  expect(second.tokens.vaults(chainId, 9)).toEqual([{ vault: a, asset }])
  expect(second.tokens.asked(chainId, [a, b])).toEqual(new Set([a]))
  second.close()
})

test('behavior: asks again what was answered in a dropped block, and forgets its tokens', async () => {
  const store = await storeWithPool(':memory:', 5)
  store.tokens.answer(chainId, new Map([[a, asset]]), 7)
  const logs = store.logs(chainId, [])
  await logs.rewind({ number: 7, hash }, { number: 6, hash })
  expect(store.tokens.vaults(chainId, 9)).toEqual([])
  expect(store.tokens.unasked(chainId, 9)).toEqual([b, a, asset])
  await logs.rewind({ number: 6, hash }, { number: 4, hash })
  expect(store.tokens.unasked(chainId, 9)).toEqual([asset])
})
