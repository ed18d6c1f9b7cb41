import { VenueKind } from '@sluice/domain'
import type { Address } from 'viem'
import { address, bad, list, members, refuseRepeated, text } from './members.js'
import type { VenueEntry } from './parseVenue.js'

/** `ListedPool` of the contracts: a pool whose address cannot be derived. */
export type PoolEntry = {
  /** Number of its venue in the Hub: its position in the config, counted from one. */
  readonly venue: number
  readonly pool: Address
  /** In the pool's own order; for Balancer without the pool's own token. */
  readonly tokens: readonly Address[]
}

const fewestTokens = 2
const maxTokens = 8

/**
 * Reads the listed pools of a config file: `{venue, address, tokens}` with the venue's id.
 *
 * @throws DeployError `BAD_CONFIG`, naming the member.
 */
export function parsePools(value: unknown, venues: readonly VenueEntry[]): PoolEntry[] {
  const pools = list(value, 'pools').map((entry, index) => {
    const path = `pools[${index}]`
    const pool = members(entry, path, { required: ['venue', 'address', 'tokens'], optional: [] })
    const id = text(pool['venue'], `${path}.venue`)
    const place = venues.findIndex((venue) => venue.id === id)
    if (place < 0) throw bad(`${path}.venue`, `is ${id}, but this config has no such venue`)
    if (!VenueKind.has(venues[place]!.kind, 'listed'))
      throw bad(`${path}.venue`, `is ${id}, but its pools are derived, not listed`)
    const tokens = list(pool['tokens'], `${path}.tokens`).map((token, at) =>
      address(token, `${path}.tokens[${at}]`),
    )
    if (tokens.length < fewestTokens || tokens.length > maxTokens)
      throw bad(`${path}.tokens`, `must contain ${fewestTokens} to ${maxTokens} tokens`)
    refuseRepeated(tokens, `${path}.tokens`)
    return { venue: place + 1, pool: address(pool['address'], `${path}.address`), tokens }
  })
  refuseRepeated(
    pools.map(({ venue, pool }) => `${venue} ${pool}`),
    'pools',
  )
  return pools
}
