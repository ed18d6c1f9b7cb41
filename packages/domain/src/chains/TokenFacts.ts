import type { Address } from 'viem'
import type { ServedChain } from '../registry/ServedChain.js'
import * as Addresses from '../values/Addresses.js'
import * as KnownTokens from './KnownTokens.js'

/**
 * Where the facts about a token come from: built-in lists, the connector tokens of the chain's Hub, the operator's token
 * lists, or the token's own contract, whose deployer can choose any text.
 */
export const sources = ['pinned', 'connector', 'list', 'chain'] as const
export type Source = (typeof sources)[number]

/** What is known about a token. */
export type TokenFacts = {
  readonly address: Address
  /** Safe to show, but of any meaning if `source` is `chain` or `connector`. */
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly source: Source
  /** Path of its picture on the service. */
  readonly logo?: string | undefined
}

/** The tokens of a chain that need no reading: its well-known tokens and SLU. Addresses have their checksum. */
export function pinned(chain: ServedChain): readonly TokenFacts[] {
  const { slu } = chain
  const known: readonly KnownTokens.KnownToken[] = [
    ...KnownTokens.of(chain),
    ...(slu === null ? [] : [{ symbol: 'SLU', name: 'Sluice', address: slu, decimals: 18 }]),
  ]
  return known.map((token) => ({ ...token, address: checked(token.address), source: 'pinned' }))
}

function checked(address: Address): Address {
  const parsed = Addresses.parse(address)
  return parsed.ok ? parsed.address : address
}

/** What an account sells or buys of a token under a name: the native coin is no token of its own. */
export function ofSide(
  { address, isNative }: { readonly address: Address; readonly isNative: boolean },
  find: (address: Address) => TokenFacts | undefined,
): Pick<TokenFacts, 'symbol' | 'decimals' | 'source'> | undefined {
  if (isNative) return native
  return find(address)
}

const native = { symbol: 'ETH', decimals: 18, source: 'pinned' } as const
