/**
 * What travels. Inferred from the schemas that the service validates with, at type level alone: nothing of them is
 * loaded when the package runs.
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
  QuoteResponse,
  SignedResponse,
  SolvencyResponse,
  StatsResponse,
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
  QuoteResponse,
  SignedResponse,
  SolvencyResponse,
  StatsResponse,
  XrayResponse,
}
export type WireCode = Code

/** Bytes as a hexadecimal string. */
export type Hex = `0x${string}`
/** An address as a hexadecimal string. */
export type Address = `0x${string}`

/** The error object; members that a later service adds are kept. */
export type ErrorBody = Omit<ErrorResponse, 'code' | 'details'> & {
  readonly ok: false
  readonly code: string
  readonly details?:
    | readonly { readonly field: string; readonly code: string; readonly reason: string }[]
    | null
  readonly docs?: string | null
}

/** Parameters that every quote must name. */
export type RequiredParameter = 'chain' | 'in' | 'out' | 'amountIn'

/** What prepare was asked, normalised, with its digest; goes back to decode unchanged. */
export type PreparedRequest = PrepareResponse['request']

type JsonRpcCall = PrepareResponse['rpcRequest']

/** An `eth_call` for a node of the reader's own, and how its answer is decoded. */
export type PreparedQuote = Omit<PrepareResponse, 'call' | 'contracts'> & {
  readonly contracts: { readonly quoter: Address; readonly router: Address }
  readonly call: Omit<PrepareResponse['call'], 'to' | 'data' | 'gas'> & {
    readonly to: Address
    readonly data: Hex
    readonly gas: Hex
  }
}

/** Several calls as one JSON-RPC batch, whose ids are places in `items`. */
export type PreparedBatch = Omit<PrepareBatchResponse, 'items' | 'rpcBatch' | 'overrides'> & {
  readonly rpcBatch: readonly JsonRpcCall[]
  readonly items: readonly (PreparedItem | ErrorBody)[]
}

/** Without `curl` if nothing is deployed: such a call is too long for a shell. */
export type PreparedItem = Omit<PreparedQuote, 'curl'> & Partial<Pick<PreparedQuote, 'curl'>>

/** As the service gives it: calls may point to the state that they bring along. */
export type WirePreparedBatch = PrepareBatchResponse

export type Prepared = PreparedQuote | PreparedBatch
