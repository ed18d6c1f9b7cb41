import { BaseError } from '@sluice/domain'
import type { Address } from 'viem'
import type { MarketPair } from './MarketPair.js'

export type MarketOptions = { signal?: AbortSignal | undefined }

/**
 * A source of market data. Its reports help to find tokens by symbol and are compared with the chain. No route or price
 * depends on them.
 */
export type MarketSource = {
  readonly name: string
  /**
   * Returns pools of a token, at most `maxRows`.
   *
   * @throws MarketDataError
   */
  readonly pairsOf: (
    chainId: number,
    token: Address,
    options?: MarketOptions,
  ) => Promise<readonly MarketPair[]>
  /**
   * Returns pools that trade a token with this symbol; case does not matter.
   *
   * @throws MarketDataError
   */
  readonly search: (
    chainId: number,
    symbol: string,
    options?: MarketOptions,
  ) => Promise<readonly MarketPair[]>
}

/** Maximum number of pools taken from one response. */
export const maxRows = 30

/** Why a source returned nothing. Never contains its URL. */
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

/** Messages for failures that a retry cannot fix. */
const lasting: Partial<Record<MarketFailure, string>> = {
  none: 'This service has no market data source, so it cannot report pools.',
  unsupported: 'None of the market data sources of this service covers this chain.',
}

/** Thrown if no source answered. This does not mean that there are no pools. */
export class MarketDataError extends BaseError {
  override readonly name = 'MarketDataError'
  readonly failure: MarketFailure
  constructor(failure: MarketFailure) {
    super(lasting[failure] ?? 'No market data source returned a valid response in time.', {
      code: 'market_unreachable',
    })
    this.failure = failure
  }

  /** Whether a retry cannot help, because no source covers the chain. */
  get isLasting(): boolean {
    return lasting[this.failure] !== undefined
  }
}
