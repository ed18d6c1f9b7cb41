/**
 * Types of requests and responses, inferred from the schemas of the service. They are only types: the package does not load
 * the schemas.
 */
import type {
  AbiListResponse,
  AbiResponse,
  BadgeResponse,
  BatchResponse,
  Code,
  DecodeResponse,
  DeploymentsResponse,
  DiscoveryResponse,
  ErrorResponse,
  HealthResponse,
  ManifestResponse,
  ParameterName,
  PrepareBatchResponse,
  PrepareResponse,
  PriceResponse,
  QuoteResponse,
  SignedResponse,
  SolvencyResponse,
  SourcesResponse,
  StatsResponse,
  TokensResponse,
  XrayResponse,
} from '@sluice/api'

export type {
  AbiListResponse,
  AbiResponse,
  BadgeResponse,
  BatchResponse,
  DecodeResponse,
  DeploymentsResponse,
  DiscoveryResponse,
  HealthResponse,
  ManifestResponse,
  ParameterName,
  PriceResponse,
  QuoteResponse,
  SignedResponse,
  SolvencyResponse,
  SourcesResponse,
  StatsResponse,
  TokensResponse,
  XrayResponse,
}
export type WireCode = Code

/** Bytes as a hexadecimal string. */
export type Hex = `0x${string}`
/** An address as a hexadecimal string. */
export type Address = `0x${string}`

/** The error object. Members that a later version of the service adds are kept. */
export type ErrorBody = Omit<ErrorResponse, 'code' | 'details'> & {
  readonly ok: false
  readonly code: string
  readonly details?:
    | readonly { readonly field: string; readonly code: string; readonly reason: string }[]
    | null
  readonly docs?: string | null
}

/** Parameters that every quote needs, beside one amount. */
export type RequiredParameter = 'chain' | 'in' | 'out'

/** The normalized request of a prepared quote, with its digest. Send it to decode unchanged. */
export type PreparedRequest = PrepareResponse['request']

type JsonRpcCall = PrepareResponse['rpcRequest']

/** An `eth_call` for your own node, with the request that decode needs. */
export type PreparedQuote = Omit<PrepareResponse, 'call' | 'contracts'> & {
  readonly contracts: { readonly quoter: Address; readonly router: Address }
  readonly call: Omit<PrepareResponse['call'], 'to' | 'data' | 'gas'> & {
    readonly to: Address
    readonly data: Hex
    readonly gas: Hex
  }
}

/** Several calls as one JSON-RPC batch, whose ids are indexes into `items`. */
export type PreparedBatch = Omit<PrepareBatchResponse, 'items' | 'rpcBatch' | 'overrides'> & {
  readonly rpcBatch: readonly JsonRpcCall[]
  readonly items: readonly (PreparedItem | ErrorBody)[]
}

/** A prepared quote in a batch. It has no `curl` if nothing is deployed, because such a call is too long for a shell. */
export type PreparedItem = Omit<PreparedQuote, 'curl'> & Partial<Pick<PreparedQuote, 'curl'>>

/** A prepared batch in the format of the API: calls may contain references to `overrides`. */
export type WirePreparedBatch = PrepareBatchResponse

export type Prepared = PreparedQuote | PreparedBatch
