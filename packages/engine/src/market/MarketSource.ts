import { BaseError } from '@sluice/domain'
import type { Address } from 'viem'
import type { MarketPair } from './MarketPair.js'

export type MarketOptions = { signal?: AbortSignal | undefined }

/**
 * Somebody who reports pools. What is reported finds tokens by symbol and is held against the chain; no route and no
 * price comes from it.
 */
export type MarketSource = {
  readonly name: string
  /**
   * Pools of a token, at most `maxRows`.
   *
   * @throws MarketDataError
   */
  readonly pairsOf: (
    chainId: number,
    token: Address,
    options?: MarketOptions,
  ) => Promise<readonly MarketPair[]>
  /**
   * Pools with a token that has this symbol, in any case.
   *
   * @throws MarketDataError
   */
  readonly search: (
    chainId: number,
    symbol: string,
    options?: MarketOptions,
  ) => Promise<readonly MarketPair[]>
}

/** Most pools that are taken from one answer. */
export const maxRows = 30

/** Why a source gave nothing; says nothing of its address. */
export type MarketFailure =
  | 'none'
  | 'unsupported'
  | 'timeout'
  | 'connect'
  | 'status'
  | 'too_large'
  | 'bad_response'
  | 'cancelled'
  | 'busy'
  | 'resting'

/** If asking again changes nothing, that is said. */
const lasting: Partial<Record<MarketFailure, string>> = {
  none: 'This service asks no source of market data, so it can report no pools.',
  unsupported: 'No source of market data that this service asks has this chain.',
}

/** Thrown when no source answered. Nothing is known then: not even that there are no pools. */
export class MarketDataError extends BaseError {
  override readonly name = 'MarketDataError'
  readonly failure: MarketFailure
  constructor(failure: MarketFailure) {
    super(lasting[failure] ?? 'No market-data source gave a valid answer in time.', {
      code: 'market_unreachable',
    })
    this.failure = failure
  }

  /** No source is asked for the chain, so asking again changes nothing. */
  get isLasting(): boolean {
    return lasting[this.failure] !== undefined
  }
}
