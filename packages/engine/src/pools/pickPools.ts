import type { Address, Hex } from 'viem'
import type { PoolStore } from './PoolStore.js'
import type { IndexedPool } from './poolEvents.js'

const pageSize = 2_000

/** Pools of custom curves that are picked if there are too many pools, as a part of the limit for the others. */
const curvePart = 1 / 4

/**
 * Picks the pools whose depth is worth reading: all, or if there are too many, those between the tokens with the most
 * pools. Most tokens have a single pool, so no route passes through them.
 *
 * Pools of custom curves cost gas only, whatever they hold. They have places of their own beyond the limit, and do not count as
 * pools of their tokens. They come last.
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
  const isFew = store.count(chainId) <= limit
  const most = isFew ? limit : Math.floor(limit * curvePart)
  const degrees = new Map<Address, number>()
  const add = (token: Address) => degrees.set(token, (degrees.get(token) ?? 0) + 1)
  for (const token of beside.flat()) add(token)
  await collect(store, chainId, ({ shape, token0, token1 }) => {
    if (shape !== 'customCurve') for (const token of [token0, token1]) add(token)
    return false
  })
  const least = ({ token0, token1 }: IndexedPool) =>
    Math.min(degrees.get(token0) ?? 0, degrees.get(token1) ?? 0)
  let curves: readonly IndexedPool[] = []
  let fresh: IndexedPool[] = []
  const others = await collect(store, chainId, (pool) => {
    if (pool.shape !== 'customCurve') return isFew || least(pool) > 1
    fresh.push(pool)
    if (fresh.length > most) [curves, fresh] = [fairest([...curves, ...fresh], least, most), []]
    return false
  })
  const chosen = isFew ? others : others.sort((a, b) => least(b) - least(a)).slice(0, limit)
  return [...chosen, ...fairest([...curves, ...fresh], least, most)]
}

/**
 * Picks pools of many pairs, first those between the tokens with the most pools. The more older pools a pair has, the less a pool of
 * it counts, so that a crowd between two popular tokens does not hide the pools of others.
 */
function fairest(
  pools: readonly IndexedPool[],
  least: (pool: IndexedPool) => number,
  most: number,
): readonly IndexedPool[] {
  const counts = new Map<string, number>()
  const byAge = [...pools].sort((a, b) => a.blockNumber - b.blockNumber)
  const weighed = byAge.map((pool) => {
    const pair = `${pool.token0} ${pool.token1}`
    const place = (counts.get(pair) ?? 0) + 1
    counts.set(pair, place)
    return { pool, weight: (least(pool) + 1) / place ** 2 }
  })
  return weighed
    .sort((a, b) => b.weight - a.weight)
    .slice(0, most)
    .map(({ pool }) => pool)
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
