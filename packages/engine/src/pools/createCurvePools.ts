import type { Address } from 'viem'
import type { AskNode } from '../logs/AskNode.js'
import type { BroughtCode } from './adapterCalls.js'
import { type Candidate, candidatesFor, wrappedOf } from './Candidate.js'
import { createReadings, type Held, type Readings } from './createReadings.js'
import { largestHoldings } from './largestHoldings.js'
import type { IndexedPool } from './poolEvents.js'
import { readCurves } from './readCurves.js'
import type { Depth } from './readDepths.js'
import type { AttestedVenue } from './readWiring.js'

/** Maximum number of pools asked about in the first round, and in each later one. Each takes up to fifty calls. */
const mostRead = { first: 500, later: 100 } as const
/** Time after which a pool that pays nothing is asked again, in milliseconds. It doubles each time: a pool is announced before it is funded. */
const emptyMs = { first: 600_000, last: 86_400_000 } as const

/** The pools of one chain whose hooks may set the curve, with what they pay. */
export type CurvePools = {
  /**
   * Asks the adapters about those pools about which they were not asked for a while. Pools of two tokens that no other pool is known
   * to hold are left out: nobody can say how much to sell there.
   *
   * These pools cost gas only, so that they take no places from pools whose depth can be read.
   *
   * @returns Whether there are pools that were not there before.
   * @throws if the node does not answer. What was read before it stays.
   */
  readonly refresh: (ask: AskNode, round: Round) => Promise<boolean>
} & Pick<Readings<never, Held>, 'holding' | 'use'>

type Round = {
  readonly attested: readonly AttestedVenue[]
  /** In the order in which new ones are asked about. Those of other shapes are left out. */
  readonly pools: readonly IndexedPool[]
  /** Depths of all pools. */
  readonly depths: readonly Depth[]
  /** What other pools hold. */
  readonly held: readonly Held[]
  /** Tokens whose amounts say how deep a pool is. */
  readonly valued: readonly Address[]
}

/**
 * @param options.brought Code of adapters that are not deployed.
 * @param options.now Unix milliseconds.
 */
export function createCurvePools({
  brought,
  now,
  wrappedNative,
}: {
  brought: BroughtCode
  wrappedNative: Address
  now: () => number
}): CurvePools {
  const wrapped = wrappedNative.toLowerCase() as Address
  const readings = createReadings<Candidate, Held>(now, {
    read: (ask, pools) => readCurves(ask, pools, brought),
    keyOf: ({ adapter, id }) => `${adapter} ${id}`,
    namesOf: ({ id }) => [id],
    mostRead,
    emptyMs,
  })
  return {
    async refresh(ask, { attested, depths, held, pools, valued }) {
      const known = largestHoldings(depths, [...held, ...readings.all()], wrapped)
      const sideOf = (token: Address) => {
        return { token, most: known.get(wrappedOf(token, wrapped)) ?? 0 }
      }
      const candidates = pools
        .filter(({ shape }) => shape === 'customCurve')
        .flatMap(({ factory: manager, pool: id, token0, token1 }) =>
          candidatesFor({ id, manager }, [sideOf(token0), sideOf(token1)], { attested, wrapped }),
        )
        .filter(({ most, tokens: [first, second] }) => Math.max(...most) > 0 && first !== second)
      return await readings.refresh(ask, candidates, valued)
    },
    holding: readings.holding,
    use: readings.use,
  }
}
