import type { Address, Hex } from 'viem'
import type { PoolStore } from './PoolStore.js'
import type { IndexedPool } from './poolEvents.js'

const pageSize = 2_000

/**
 * Picks the pools whose depth is worth reading: all, or if there are too many, those between the tokens with the most
 * pools. Most tokens have a single pool, so no route passes through them.
 *
 * @param beside Tokens that something else than a pool exchanges, such as a vault. It counts as a pool.
 *
 * Yields to other work between pages, since a chain can have hundreds of thousands of pools.
 */
export async function pickPools(
  store: PoolStore,
  chainId: number,
  limit: number,
  beside: readonly (readonly Address[])[] = [],
): Promise<readonly IndexedPool[]> {
  if (store.count(chainId) <= limit) return await collect(store, chainId, () => true)
  const degrees = new Map<Address, number>()
  const add = (token: Address) => degrees.set(token, (degrees.get(token) ?? 0) + 1)
  for (const token of beside.flat()) add(token)
  await collect(store, chainId, ({ token0, token1 }) => {
    add(token0)
    add(token1)
    return false
  })
  const least = ({ token0, token1 }: IndexedPool) =>
    Math.min(degrees.get(token0) ?? 0, degrees.get(token1) ?? 0)
  const connected = await collect(store, chainId, (pool) => least(pool) > 1)
  return connected.sort((a, b) => least(b) - least(a)).slice(0, limit)
}

async function collect(
  store: PoolStore,
  chainId: number,
  isWanted: (pool: IndexedPool) => boolean,
): Promise<IndexedPool[]> {
  const found: IndexedPool[] = []
  let after: Hex | undefined
  while (true) {
    const page = store.page(chainId, after, pageSize)
    found.push(...page.filter(isWanted))
    if (page.length < pageSize) return found
    after = page.at(-1)!.pool
    await new Promise((resolve) => setImmediate(resolve))
  }
}
