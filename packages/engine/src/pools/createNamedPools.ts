import { PoolHints } from '@sluice/domain'
import { type Address, zeroAddress } from 'viem'
import type { AskNode } from '../logs/AskNode.js'
import { adapterCall, type BroughtCode, encodeKeysOf, keysIn } from './adapterCalls.js'
import { askAll } from './askAll.js'
import { createReadings, type Held, type Readings } from './createReadings.js'
import type { Depth, NamedPool } from './readDepths.js'
import type { AttestedVenue } from './readWiring.js'

/** The pools of one chain that have an id and that adapters find only if it is proposed, with their depth. */
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

/** A pool, and the adapter that may trade on it. */
type Question = { readonly adapter: Address; readonly depth: Depth & { readonly named: NamedPool } }

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
  const tokensOf = ({ token0, token1 }: Depth) =>
    [token0, token1].map((token) => (token === zeroAddress ? wrapped : token)) as [Address, Address]
  const readings = createReadings<Question, Held>(now, {
    async read(ask, questions) {
      const isFound = await areFound(ask, questions, tokensOf, brought)
      return questions.map(({ depth }, index) =>
        isFound[index]
          ? { pool: depth.named.id, tokens: tokensOf(depth), balances: [depth.most0, depth.most1] }
          : undefined,
      )
    },
    keyOf: ({ adapter, depth }) => `${adapter} ${depth.named.id}`,
    namesOf: ({ depth }) => [depth.named.id],
  })
  return {
    async refresh(ask, { attested, depths, valued }) {
      const questions = depths.flatMap((depth) =>
        attested
          .filter(({ manager }) => manager !== undefined && manager === depth.named?.manager)
          .map(({ adapter }) => ({ adapter, depth: depth as Question['depth'] })),
      )
      return await readings.refresh(ask, questions, valued)
    },
    holding: readings.holding,
    use: readings.use,
  }
}

/** Whether adapters find pools if they are proposed, and not without. */
async function areFound(
  ask: AskNode,
  questions: readonly Question[],
  tokensOf: (depth: Depth) => readonly [Address, Address],
  brought: BroughtCode,
): Promise<readonly boolean[]> {
  const answers = await askAll(
    ask,
    questions.flatMap(({ adapter, depth }) =>
      [[], [BigInt(depth.named.id)]].map((hints) =>
        adapterCall(adapter, encodeKeysOf(tokensOf(depth), hints), brought),
      ),
    ),
  )
  return questions.map(({ depth }, index) => {
    const [without = false, withHint = false] = answers
      .slice(2 * index, 2 * index + 2)
      .map((data) => keysIn(data).some((key) => PoolHints.isOfKey(depth.named.id, key)))
    return withHint && !without
  })
}
