/** A typed client of the Sluice API, without dependencies. */
export { completeQuote } from './actions/completeQuote.js'
export { decodeQuote } from './actions/decodeQuote.js'
export { decodeQuotes } from './actions/decodeQuotes.js'
export { getAbi } from './actions/getAbi.js'
export { getBadge } from './actions/getBadge.js'
export { getDeployments } from './actions/getDeployments.js'
export { getDiscovery } from './actions/getDiscovery.js'
export { getHealth } from './actions/getHealth.js'
export { getManifest } from './actions/getManifest.js'
export { getPrice } from './actions/getPrice.js'
export { getQuote } from './actions/getQuote.js'
export { getQuotes, type Settled } from './actions/getQuotes.js'
export { getSolvency } from './actions/getSolvency.js'
export { getSources } from './actions/getSources.js'
export { getStats } from './actions/getStats.js'
export { getTokens } from './actions/getTokens.js'
export { getXray } from './actions/getXray.js'
export { prepareQuote } from './actions/prepareQuote.js'
export { prepareQuotes } from './actions/prepareQuotes.js'
export { streamQuote } from './actions/streamQuote.js'
export {
  type DecodedQuote,
  parseQuote,
  type Quote,
  type Route,
  type Transaction,
} from './amounts.js'
export {
  type Client,
  type ClientOptions,
  createClient,
  type RequestEvent,
  type ResponseEvent,
  type RetryOptions,
} from './createClient.js'
export {
  ApiError,
  BaseError,
  type Code,
  DecodeError,
  type Detail,
  IntegrityError,
  InvalidParameterError,
  NetworkError,
  NoRouteError,
  RpcRequiredError,
  RpcUnreachableError,
  TimeoutError,
  version,
} from './errors.js'
export { encodeParameters, type Overrides, type QuoteParameters } from './parameters.js'
export type { CallOptions } from './request.js'
export type {
  AbiListResponse,
  AbiResponse,
  Address,
  BadgeResponse,
  DeploymentsResponse,
  DiscoveryResponse,
  HealthResponse,
  Hex,
  ManifestResponse,
  PreparedBatch,
  PreparedQuote,
  PreparedRequest,
  PriceResponse,
  SolvencyResponse,
  StatsResponse,
  TokensResponse,
  XrayResponse,
} from './wire.js'
