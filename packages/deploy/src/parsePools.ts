import { VenueKind } from '@sluice/domain'
import type { Address } from 'viem'
import { z } from 'zod'
import type { VenueEntry } from './parseVenue.js'
import { address, listOf, refuse, text } from './schemas.js'

/** `ListedPool` of the contracts: a pool whose address cannot be derived. */
export type PoolEntry = {
  /** Number of its venue in the Hub: its position in the config, counted from one. */
  readonly venue: number
  readonly pool: Address
  /** In the pool's own order; for Balancer without the pool's own token. */
  readonly tokens: readonly Address[]
}

/** Fewest and most tokens of a pool. */
const [min, max] = [2, 8]
const wrongCount = `must contain ${min} to ${max} tokens`

/** Creates the schema for the listed pools of a config file: `{venue, address, tokens}` with the venue's id. */
export function poolsOf(venues: readonly Pick<VenueEntry, 'id' | 'kind'>[]) {
  const venue = text.transform((id, context) => {
    const place = venues.findIndex((each) => each.id === id)
    if (place < 0) return refuse(context, id, `is ${id}, but this config has no such venue`)
    if (!VenueKind.has(venues[place]!.kind, 'listed'))
      return refuse(context, id, `is ${id}, but its pools are not listed`)
    return place + 1
  })
  const tokens = listOf(address).min(min, wrongCount).max(max, wrongCount)
  const pool = z
    .strictObject({ venue, address, tokens })
    .transform(
      (entry): PoolEntry => ({ venue: entry.venue, pool: entry.address, tokens: entry.tokens }),
    )
  return listOf(pool, (entry) => `${entry.venue} ${entry.pool}`)
}
