import type { Address } from 'viem'
import type { AskNode } from '../logs/AskNode.js'
import type { BroughtCode } from './adapterCalls.js'
import { type Candidate, candidatesFor } from './Candidate.js'
import { createReadings, type Held, type Readings } from './createReadings.js'
import type { Depth } from './readDepths.js'
import { readNamed } from './readNamed.js'
import type { AttestedVenue } from './readWiring.js'

/** The pools of one chain that have an id, a depth that can be read, and adapters that find them only if it is proposed. */
export type NamedPools = {
  /**
   * Asks the adapters about those pools about which they were not asked for a while.
   *
   * @returns Whether there are pools that were not there before.
   * @throws if the node does not answer. What was read before it stays.
   */
  readonly refresh: (ask: AskNode, round: Round) => Promise<boolean>
} & Pick<Readings<never, Held>, 'holding' | 'use'>

export type Round = {
  readonly attested: readonly AttestedVenue[]
  /** Depths of all pools. */
  readonly depths: readonly Depth[]
  /** Tokens whose amounts say how deep a pool is. */
  readonly valued: readonly Address[]
}

/**
 * @param options.brought Code of adapters that are not deployed.
 * @param options.now Unix milliseconds.
 */
export function createNamedPools({
  brought,
  now,
  wrappedNative,
}: {
  brought: BroughtCode
  wrappedNative: Address
  now: () => number
}): NamedPools {
  const wrapped = wrappedNative.toLowerCase() as Address
  const readings = createReadings<Candidate, Held>(now, {
    read: (ask, pools) => readNamed(ask, pools, brought),
    keyOf: ({ adapter, id }) => `${adapter} ${id}`,
    namesOf: ({ id }) => [id],
  })
  return {
    async refresh(ask, { attested, depths, valued }) {
      const candidates = depths.flatMap(({ most0, most1, named, token0, token1 }) => {
        if (named === undefined) return []
        const [first, second] = [
          { token: token0, most: most0 },
          { token: token1, most: most1 },
        ]
        return candidatesFor(named, [first, second], { attested, wrapped })
      })
      return await readings.refresh(ask, candidates, valued)
    },
    holding: readings.holding,
    use: readings.use,
  }
}
