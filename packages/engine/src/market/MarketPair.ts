import type { Address, Hex } from 'viem'

/** A token as reported by a market data source. Its texts come from the token's issuer. */
export type MarketToken = {
  readonly address: Address
  readonly symbol?: string | undefined
  readonly name?: string | undefined
}

/**
 * A pool as reported by a market data source. Only the format is checked: every number may be false. `undefined` means
 * unknown, not zero.
 */
export type MarketPair = {
  /** Address of the pool contract, or the 32-byte id of a pool inside a shared contract. */
  readonly pair: Hex
  /** Venue, as the source names it. */
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

/** Whether the pool lives in a shared contract, so that its balance cannot be read. */
export function isSingleton({ pair }: Pick<MarketPair, 'pair'>): boolean {
  return pair.length === 66
}
