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

/** Reports that combine market data and chain reads. */
export type Reports = {
  /**
   * Finds the token that a symbol means on a served chain.
   *
   * @throws MarketDataError or QuoteError if no source could be asked. This does not mean that the symbol is unknown.
   */
  readonly lookUp: (
    chainId: number,
    symbol: string,
    options: { purpose: Purpose; signal?: AbortSignal | undefined },
  ) => Promise<Tokens.Resolved>
  /**
   * Compares what market data report about a token's pools with what the pools hold.
   *
   * @throws MarketDataError or QuoteError if no source could be asked and no earlier report is cached.
   */
  readonly xray: (
    chainId: number,
    token: Address,
    options?: { signal?: AbortSignal | undefined },
  ) => Promise<XrayAnswer>
}

export type ReportsConfig = {
  /** Market data sources, best first. @default none */
  readonly marketData?: readonly MarketSetting[] | undefined
  /** Tokens from the operator's token lists. @default none */
  readonly tokenLists?: readonly ListedToken[] | undefined
  /** Unix milliseconds. */
  readonly now: () => number
  readonly onMarketFailure?: ((report: MarketFailureReport) => void) | undefined
  /** Called when a node fails while a report is made. */
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
