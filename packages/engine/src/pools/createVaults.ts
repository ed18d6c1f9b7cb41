import { Lru } from '@sluice/domain'
import type { Address } from 'viem'
import type { AskNode } from '../logs/AskNode.js'
import { askAssets } from './askAssets.js'
import type { TokenStore, Vault } from './TokenStore.js'

/** Maximum number of tokens that are asked for their asset in the first round, and in each later one. */
const mostAsked = { first: 8_000, later: 2_000 } as const
/** Maximum number of vaults that count, the oldest. */
const maxVaults = 10_000
/** Maximum number of requested tokens that wait for the next round, and of those that are remembered as no vaults. */
const [maxRequested, maxPlain] = [64, 2_000] as const
/** Maximum number of tokens that are remembered as added. More are added again, which changes nothing. */
const maxAdded = 20_000

/** The vaults of one chain, as tokens name their assets. */
export type Vaults = {
  /**
   * Asks tokens that were not asked yet for their asset.
   *
   * @param tokens Tokens that no event of a pool announced.
   * @param block Number of the latest block that was read.
   * @throws if the node does not answer. What was read before it stays.
   */
  readonly find: (ask: AskNode, tokens: readonly Address[], block: number) => Promise<void>
  readonly all: () => readonly Vault[]
  /** Remembers tokens of a request, so that the next round asks those that no pool holds. */
  readonly note: (tokens: readonly Address[]) => void
}

export function createVaults(store: TokenStore, chainId: number): Vaults {
  const added = Lru.create<Address, true>(maxAdded)
  const requested = new Set<Address>()
  const plain = Lru.create<Address, true>(maxPlain)
  let isFirst = true

  /** Callers may name any token, so that only vaults are stored. */
  async function askRequested(ask: AskNode, block: number): Promise<void> {
    const wanted = [...requested].filter((token) => plain.get(token) === undefined)
    requested.clear()
    const asked = store.asked(chainId, wanted)
    const fresh = wanted.filter((token) => !asked.has(token))
    const assets = await askAssets(ask, fresh)
    for (const [token, asset] of assets) if (asset === undefined) plain.put(token, true)
    const vaults = new Map([...assets].filter(([, asset]) => asset !== undefined))
    store.add(chainId, [...vaults.keys()])
    store.answer(chainId, vaults, block)
  }

  return {
    async find(ask, tokens, block) {
      const fresh = tokens.map(lower).filter((token) => added.get(token) === undefined)
      if (fresh.length > 0) store.add(chainId, fresh)
      for (const token of fresh) added.put(token, true)
      await askRequested(ask, block)
      let left: number = isFirst ? mostAsked.first : mostAsked.later
      isFirst = false
      // Vaults of vaults are found as well: storing an answer adds the asset to the tokens to ask.
      while (left > 0) {
        const next = store.unasked(chainId, Math.min(left, mostAsked.later))
        if (next.length === 0) return
        store.answer(chainId, await askAssets(ask, next), block)
        left -= next.length
      }
    },
    all: () => store.vaults(chainId, maxVaults),
    note(tokens) {
      for (const token of tokens) if (requested.size < maxRequested) requested.add(lower(token))
    },
  }
}

function lower(token: Address): Address {
  return token.toLowerCase() as Address
}
