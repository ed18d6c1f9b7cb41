import type { Hex } from 'viem'

/** What a leg's key says of an adapter's pool, above its last byte: the pool's address, or the first 25 bytes of its id. */
export function namedBy(pool: Hex): bigint {
  return pool.length === 66 ? BigInt(pool) >> 56n : BigInt(pool)
}
