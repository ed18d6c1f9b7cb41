/** I/O without HTTP: talks to nodes, quotes, caches. */

export {
  type ChainHealth,
  createEngine,
  type Engine,
  type EngineCallOptions,
  type EngineConfig,
} from './createEngine.js'
export type { Block } from './heads/Head.js'
export type { AskNode } from './logs/AskNode.js'
export { askNodeAt } from './logs/askNodes.js'
export { MarketDataError } from './market/MarketSource.js'
export { type MarketKind, type MarketSetting, marketKinds } from './market/openSources.js'
export { maxHints } from './pools/chooseHints.js'
export { followPools } from './pools/followPools.js'
export { openPoolStore, type PoolStore } from './pools/PoolStore.js'
export { proposeConnectors, type TryHints } from './pools/proposeConnectors.js'
export type { CacheState, NodeTimes, QuoteAnswer, Settled } from './quotes/getQuotes.js'
export type { AttemptReport, FailureReport } from './quotes/PlanAnswer.js'
export { QuoteError, type QuoteErrorCode } from './quotes/QuoteError.js'
export type { SolvencyAnswer } from './solvency/createSolvency.js'
export { isLocal } from './support/isLocal.js'
export { NewerSchemaError } from './support/Schema.js'
export { createShared, type Shared } from './support/Shared.js'
export type { SwapIndexConfig } from './swaps/createSwapIndex.js'
export type { SwapProgress } from './swaps/Progress.js'
export type { SwapFault } from './swaps/SwapFault.js'
export type { ChainSwaps, FollowedRouter, SwapStats } from './swaps/SwapStats.js'
export { openSwapStore, type SwapStore } from './swaps/SwapStore.js'
export { leastDepthUsd } from './symbols/chooseToken.js'
export { BadTokenListError, type ListedToken, parseTokenList } from './symbols/parseTokenList.js'
export { toleranceBps as xrayToleranceBps } from './xray/compareReserves.js'
export { type XrayAnswer, xrayKeptMs } from './xray/createXrays.js'
export type { Xray, XrayPool, XraySide } from './xray/Xray.js'
