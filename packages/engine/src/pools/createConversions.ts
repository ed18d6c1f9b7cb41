import { Adapters, type Registry } from '@sluice/domain'
import { type Address, toFunctionSelector } from 'viem'
import type { AskNode } from '../logs/AskNode.js'
import { addressIn } from './adapterCalls.js'
import { askAll } from './askAll.js'
import { type Conversion, conversionOf } from './Conversion.js'
import { createReadings, type Readings } from './createReadings.js'
import { createVaults, type Vaults } from './createVaults.js'
import { type ConversionDepth, readConversions } from './readConversions.js'
import type { AttestedVenue } from './readWiring.js'
import type { TokenStore } from './TokenStore.js'

/** How long the tokens that converters name are kept, in milliseconds. */
const namedMs = 3_600_000
const getters = [...new Set(Object.values(Adapters.tokenGetters).flat())].map(toFunctionSelector)

/** What the converters of one chain exchange: those that the Hub lists, and vaults. */
export type Conversions = {
  /**
   * Asks new tokens whether they are vaults, and reads those conversions that were not read for a while.
   *
   * @returns Whether there are conversions that were not there before.
   * @throws if the node does not answer. What was read before it stays.
   */
  readonly refresh: (ask: AskNode, round: Round) => Promise<boolean>
} & Pick<Vaults, 'note'> &
  Pick<Readings<Conversion, ConversionDepth>, 'all' | 'use'>

export type Round = {
  readonly attested: readonly AttestedVenue[]
  /** Tokens that no event of a pool announced. */
  readonly tokens: readonly Address[]
  /** Tokens whose amounts say how deep a vault is. */
  readonly valued: readonly Address[]
  /** Number of the latest block that was read. */
  readonly block: number
}

export function createConversions({
  chain: { chainId, stateOverride, wrappedNative },
  now,
  store,
}: {
  chain: Pick<Registry.ServedChain, 'chainId' | 'stateOverride' | 'wrappedNative'>
  store: TokenStore
  /** Unix milliseconds. */
  now: () => number
}): Conversions {
  const wrapped = wrappedNative.toLowerCase() as Address
  const vaults = createVaults(store, chainId)
  const readings = createReadings<Conversion, ConversionDepth>(now, {
    read: (ask, conversions) => readConversions(ask, conversions, stateOverride),
    keyOf: ({ adapter, pool, tokens }) => [adapter, pool, ...tokens].join(),
    namesOf: ({ tokens }) => tokens,
  })
  let listed: { readonly of: string; readonly at: number; readonly all: readonly Conversion[] } = {
    ...{ of: '', at: 0, all: [] },
  }

  async function refreshListed(ask: AskNode, attested: readonly AttestedVenue[]): Promise<void> {
    const of = attested.map(({ adapter, registry }) => `${adapter} ${registry}`).join()
    if (listed.of === of && now() - listed.at < namedMs) return
    listed = { of, at: now(), all: await nameListed(ask, attested, wrapped) }
  }

  return {
    async refresh(ask, { attested, block, tokens, valued }) {
      // Vaults have no registry: the wrapped native token stands in its place.
      const ofVaults = attested.filter(({ registry }) => registry === wrapped)
      const others = attested.filter(({ registry }) => registry !== wrapped)
      await refreshListed(ask, others)
      const named = listed.all.flatMap((conversion) => conversion.tokens)
      if (ofVaults.length > 0) await vaults.find(ask, [...tokens, ...named], block)
      const converted = ofVaults.flatMap(({ adapter }) =>
        vaults
          .all()
          .map(({ asset, vault }) =>
            conversionOf({ adapter, pool: vault, isListed: false }, [asset, vault]),
          ),
      )
      return await readings.refresh(ask, [...listed.all, ...converted], valued)
    },
    note: vaults.note,
    all: readings.all,
    use: readings.use,
  }
}

/** Whatever the registry of an adapter may exchange. The adapter says which of it is so. */
async function nameListed(
  ask: AskNode,
  venues: readonly AttestedVenue[],
  wrapped: Address,
): Promise<readonly Conversion[]> {
  const answers = await askAll(
    ask,
    venues.flatMap(({ registry }) =>
      getters.map((data) => ({ method: 'eth_call', params: [{ to: registry, data }, 'latest'] })),
    ),
  )
  return venues.flatMap(({ adapter, registry }, index) => {
    const own = answers.slice(index * getters.length, (index + 1) * getters.length)
    const tokens = [
      ...new Set([wrapped, registry, ...own.flatMap((data) => addressIn(data) ?? [])]),
    ]
    return tokens.flatMap((token, place) =>
      tokens
        .slice(place + 1)
        .map((other) => conversionOf({ adapter, pool: registry, isListed: true }, [token, other])),
    )
  })
}
