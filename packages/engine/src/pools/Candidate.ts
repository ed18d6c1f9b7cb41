import { type Address, type Hex, zeroAddress } from 'viem'
import type { NamedPool } from './readDepths.js'
import type { AttestedVenue } from './readWiring.js'

/** A pool that an adapter may trade on if it is proposed. */
export type Candidate = {
  readonly adapter: Address
  readonly id: Hex
  /** In the order of their addresses, in lower case. */
  readonly tokens: readonly [Address, Address]
  /** How much of each token is sold to it at most, to learn what it pays. */
  readonly most: readonly [number, number]
}

/** One token of a pool, in lower case, and how much of it is sold at most. */
type Side = { readonly token: Address; readonly most: number }

/**
 * Returns the candidates that a pool is: one for each adapter that trades what the pool's keeper keeps. The native currency
 * counts as its wrapped token.
 */
export function candidatesFor(
  { id, manager }: NamedPool,
  sides: readonly [Side, Side],
  { attested, wrapped }: { attested: readonly AttestedVenue[]; wrapped: Address },
): readonly Candidate[] {
  const named = sides.map(({ most, token }) => ({ most, token: wrappedOf(token, wrapped) }))
  const [first, second] = named.sort((a, b) => (a.token < b.token ? -1 : 1)) as [Side, Side]
  return attested
    .filter((venue) => venue.manager === manager)
    .map(({ adapter }) => ({
      adapter,
      id,
      tokens: [first.token, second.token],
      most: [first.most, second.most],
    }))
}

/** Returns the wrapped token in place of the native currency; all in lower case. */
export function wrappedOf(token: Address, wrapped: Address): Address {
  return token === zeroAddress ? wrapped : token
}
