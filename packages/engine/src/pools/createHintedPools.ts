import type { Address } from 'viem'
import { createReadings, type Held, type Readings } from './createReadings.js'
import type { HintedPool } from './hintedEvents.js'
import { type Place, readHinted } from './readHinted.js'

/** The pools of one chain that are found only as hints, with what they hold. */
export type HintedPools = Readings<HintedPool, Held>

/** @param now Unix milliseconds. */
export function createHintedPools(now: () => number): HintedPools {
  const places = new Map<Address, Place>()
  return createReadings(now, {
    read: (ask, pools) => readHinted(ask, pools, places),
    // Anybody can register any address in some registries, also that of another registry's pool.
    keyOf: ({ pool, registry }) => `${registry} ${pool}`,
    namesOf: ({ pool }) => [pool],
  })
}
