/** The HTTP API: schemas, error codes with their status, parsing and encoding. */
export { ApiError, type Detail, encodeError } from './ApiError.js'
export { type Code, type CodeFacts, codes, docsPath, isCode } from './codes.js'
export { createOpenapi, type Examples } from './createOpenapi.js'
export { encodeAbi } from './encodeAbi.js'
export { encodeDecoded } from './encodeDecoded.js'
export { encodeDeployments, versionOf } from './encodeDeployments.js'
export { encodeDiscovery } from './encodeDiscovery.js'
export { encodeExplanation } from './encodeExplanation.js'
export { encodeManifest, type Site, serviceName, serviceVersion } from './encodeManifest.js'
export { encodeQuote, encodeToken } from './encodeQuote.js'
export { encodeBadge, encodeSolvency } from './encodeSolvency.js'
export { encodeStats } from './encodeStats.js'
export { encodeAskedTokens, encodePrices, encodeTokenList } from './encodeTokens.js'
export { type Explanation, maxExplainedPools } from './explanation.js'
export { examples } from './generated/examples.js'
export { givenFromItem, givenFromQuery } from './givenParameters.js'
export type { GuideEntry, Operation, Surfaces } from './operations/Operation.js'
export {
  type AnswerOf,
  components,
  type NameOn,
  operationAt,
  operations,
} from './operations/operations.js'
export { overridesObject } from './overrides.js'
export { type ParameterName, parameterNames, quoteParameters } from './parameters.js'
export {
  batchEnvelope,
  maxBatchItems,
  maxPrepareItems,
  type OverrideForm,
  parseBatch,
  parsePrepareBatch,
  prepareEnvelope,
} from './parseBatch.js'
export {
  type DecodeAsk,
  type PreparedAnswer,
  parseDecode,
  parseDecodeItem,
} from './parseDecode.js'
export { parseQuoteRequest } from './parseQuoteRequest.js'
export { parseSources } from './parseSources.js'
export { type AskedToken, missingTokens, parseTokens } from './parseTokens.js'
export { parseXray, unresolvedToken } from './parseXray.js'
export { pictureParameters, splitPictureQuery } from './picture.js'
export {
  type DecodeBatchResponse,
  type DecodeResponse,
  decodeBatchResponse,
  decodeItem,
  decodeResponse,
  type PrepareBatchResponse,
  type PrepareResponse,
  prepareBatchResponse,
  preparedRequest,
  prepareResponse,
} from './preparation.js'
export {
  type AbiListResponse,
  type AbiResponse,
  abiListResponse,
  abiParameters,
  abiResponse,
  type DeploymentsResponse,
  type DiscoveryResponse,
  deploymentsParameters,
  deploymentsResponse,
  discoveryResponse,
  type ManifestResponse,
  manifestResponse,
} from './registry.js'
export {
  type BatchResponse,
  batchResponse,
  type ErrorResponse,
  errorResponse,
  type HealthResponse,
  healthResponse,
  metaResponse,
  type QuoteResponse,
  type QuoteStreamEvent,
  quoteNumbers,
  quoteResponse,
  quoteStreamEvent,
  routeResponse,
} from './responses.js'
export { maxJsonDepth, scanJson } from './scanJson.js'
export { parseSigned, type SignedResponse, signedEnvelope, signedResponse } from './signed.js'
export {
  type BadgeResponse,
  badgeResponse,
  type SolvencyResponse,
  solvencyResponse,
} from './solvency.js'
export { type SourcesResponse, sourcesParameters, sourcesResponse } from './sources.js'
export { type StatsFault, type StatsResponse, statsFaults, statsResponse } from './stats.js'
export {
  maxAskedTokens,
  maxListedTokens,
  maxPricedTokens,
  type PriceResponse,
  priceParameters,
  priceResponse,
  type TokensResponse,
  tokensParameters,
  tokensResponse,
} from './tokens.js'
export { type XrayResponse, xrayParameters, xrayResponse } from './xray.js'
