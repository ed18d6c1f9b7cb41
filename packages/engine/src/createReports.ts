import type { Tokens } from '@sluice/domain'
import type { Address } from 'viem'
import type { ChainState } from './ChainState.js'
import { createMarket, type MarketFailureReport } from './market/createMarket.js'
import { type MarketSetting, openSources } from './market/openSources.js'
import type { FailureReport } from './quotes/PlanAnswer.js'
import type { Purpose } from './symbols/chooseToken.js'
import { createSymbols, type Symbols } from './symbols/createSymbols.js'
import type { ListedToken } from './symbols/parseTokenList.js'
import type { QuoteMany } from './symbols/priceKnownTokens.js'
import { createXrays, type XrayAnswer, type Xrays } from './xray/createXrays.js'

/** What the engine finds out with the help of market data. */
export type Reports = {
  /**
   * The token that a symbol means on a chain that is served.
   *
   * @throws MarketDataError, QuoteError if it could not be found out; that says nothing of the symbol.
   */
  readonly lookUp: (
    chainId: number,
    symbol: string,
    options: { purpose: Purpose; signal?: AbortSignal | undefined },
  ) => Promise<Tokens.Resolved>
  /**
   * What is reported of a token's pools, against what they hold.
   *
   * @throws MarketDataError, QuoteError if nobody could be asked and no earlier report is held.
   */
  readonly xray: (
    chainId: number,
    token: Address,
    options?: { signal?: AbortSignal | undefined },
  ) => Promise<XrayAnswer>
}

export type ReportsConfig = {
  /** Who reports pools, best first. @default none */
  readonly marketData?: readonly MarketSetting[] | undefined
  /** Tokens of the operator's lists. @default none */
  readonly tokenLists?: readonly ListedToken[] | undefined
  /** Unix milliseconds. */
  readonly now: () => number
  readonly onMarketFailure?: ((report: MarketFailureReport) => void) | undefined
  /** Told of nodes that fail while reports are made. */
  readonly onFailure?: ((report: FailureReport) => void) | undefined
}

export function createReports(
  states: ReadonlyMap<number, ChainState>,
  config: ReportsConfig & {
    quoteMany: QuoteMany
  },
): Reports {
  const { marketData = [], now, onFailure, quoteMany, tokenLists: lists = [] } = config
  const sources = openSources(marketData)
  const options = { now: () => performance.now(), onFailure: config.onMarketFailure }
  const market = sources.length === 0 ? undefined : createMarket(sources, options)
  const symbols = new Map<number, Symbols>()
  const xrays = new Map<number, Xrays>()
  for (const [chainId, state] of states) {
    symbols.set(chainId, createSymbols({ state, market, lists, quoteMany, now, onFailure }))
    xrays.set(chainId, createXrays(state, { market, now, onFailure }))
  }
  return {
    lookUp: (chainId, symbol, options) => symbols.get(chainId)!.lookUp(symbol, options),
    xray: (chainId, token, options) => xrays.get(chainId)!(token, options),
  }
}
