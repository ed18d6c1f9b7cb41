import { type Address, zeroAddress } from 'viem'
import type { AskNode } from '../logs/AskNode.js'
import type { BroughtCode } from './adapterCalls.js'
import { createReadings, type Held, type Readings } from './createReadings.js'
import type { Depth } from './readDepths.js'
import { type Candidate, readNamed } from './readNamed.js'
import type { AttestedVenue } from './readWiring.js'

/** The pools of one chain that have an id and that adapters find only if it is proposed, with what they pay. */
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
      const candidates = depths.flatMap((depth) => {
        const { named } = depth
        if (named === undefined) return []
        return attested
          .filter(({ manager }) => manager === named.manager)
          .map(({ adapter }) => ({ adapter, id: named.id, ...sidesOf(depth, wrapped) }))
      })
      return await readings.refresh(ask, candidates, valued)
    },
    holding: readings.holding,
    use: readings.use,
  }
}

/** In the order of the tokens' addresses, where the native currency counts as its wrapped token. */
function sidesOf(
  { most0, most1, token0, token1 }: Depth,
  wrapped: Address,
): Pick<Candidate, 'most' | 'tokens'> {
  const first = token0 === zeroAddress ? wrapped : token0
  return first < token1
    ? { tokens: [first, token1], most: [most0, most1] }
    : { tokens: [token1, first], most: [most1, most0] }
}
