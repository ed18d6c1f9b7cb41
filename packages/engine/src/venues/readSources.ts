import type { Venues } from '@sluice/domain'
import type { Address } from 'viem'
import type { ChainVenues } from './createVenues.js'

/** A venue, and how many of its pools are known. */
export type Source = {
  readonly venue: Venues.Venue
  /** Pools that the Hub lists or the index has found; `undefined` without an index. */
  readonly pools: number | undefined
}

/**
 * The venues of a chain with the number of pools known of each, in the order of their numbers.
 *
 * @param poolsOf Pools by factory, in lower case; `undefined` without an index.
 * @returns `undefined` if no node tells the venues.
 */
export async function readSources(
  { read }: ChainVenues,
  poolsOf: (() => ReadonlyMap<Address, number>) | undefined,
): Promise<readonly Source[] | undefined> {
  const venues = await read()
  const found = poolsOf?.()
  return (
    venues &&
    [...venues.values()].map((venue) => ({
      venue,
      pools:
        venue.listedPools ?? (found && (found.get(venue.factory.toLowerCase() as Address) ?? 0)),
    }))
  )
}
