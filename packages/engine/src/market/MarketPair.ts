import type { Address, Hex } from 'viem'

/** A token as a market-data source describes it; the texts are those of whoever made the token. */
export type MarketToken = {
  readonly address: Address
  readonly symbol?: string | undefined
  readonly name?: string | undefined
}

/**
 * A pool as a market-data source reports it. Only the forms are checked: every number may be a lie, and what is
 * `undefined` is unknown, not zero.
 */
export type MarketPair = {
  /** Address of the pool's contract, or the 32-byte id of a pool that lives in a contract with others. */
  readonly pair: Hex
  /** Venue, in the source's words. */
  readonly dex: string | undefined
  readonly base: MarketToken
  readonly quote: MarketToken
  /** Reserves in whole tokens. */
  readonly baseReserve: number | undefined
  readonly quoteReserve: number | undefined
  readonly basePriceUsd: number | undefined
  readonly quotePriceUsd: number | undefined
  readonly liquidityUsd: number | undefined
}

/** Whether the pool has no contract of its own that could be asked for its balance. */
export function isSingleton({ pair }: Pick<MarketPair, 'pair'>): boolean {
  return pair.length === 66
}
