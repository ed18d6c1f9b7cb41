import { Endpoints } from '@sluice/domain'
import type { z } from 'zod'
import {
  decodeBatchResponse,
  decodeResponse,
  prepareBatchResponse,
  prepareResponse,
} from '../preparation.js'
import {
  abiListResponse,
  abiResponse,
  deploymentsResponse,
  discoveryResponse,
  manifestResponse,
} from '../registry.js'
import { batchResponse, errorResponse, healthResponse, quoteResponse } from '../responses.js'
import { badgeResponse, solvencyResponse } from '../solvency.js'
import { statsResponse } from '../stats.js'
import { priceResponse, tokensResponse } from '../tokens.js'
import { xrayResponse } from '../xray.js'
import type { Description, Operation, Surfaces } from './Operation.js'
import { quoteOperations } from './quotes.js'
import { registryOperations } from './registry.js'
import { reportOperations } from './reports.js'
import { toolOperations } from './tools.js'
import { verificationOperations } from './verification.js'

const described = {
  ...quoteOperations,
  ...verificationOperations,
  ...registryOperations,
  ...reportOperations,
  ...toolOperations,
}
const descriptions: Readonly<Record<Endpoints.Id, Description>> = described

/** Type of the successful JSON response of an operation. */
export type AnswerOf<id extends Endpoints.Id> = (typeof described)[id]['success'] extends {
  readonly schema: infer schema extends z.ZodType
}
  ? z.infer<schema>
  : never

/** Names of the operations on a surface. */
export type NameOn<surface extends keyof Surfaces> = {
  [id in Endpoints.Id]: (typeof described)[id] extends {
    readonly surfaces: { readonly [key in surface]: infer name extends string }
  }
    ? name
    : never
}[Endpoints.Id]

/**
 * Every operation of the service, in the order of `Endpoints`. Routes, rate limits, load shedding, the OpenAPI document,
 * GET /api and the guides are made from this list.
 */
export const operations: readonly Operation[] = (
  Object.entries(Endpoints.all) as [Endpoints.Id, Endpoints.Endpoint][]
).map(([id, endpoint]) => ({ id, ...endpoint, ...descriptions[id] }))

const byPath = new Map(operations.map((operation) => [operation.path, operation]))

/** An operation on a path; all operations on one path cost the same. `undefined` if the path does not exist. */
export function operationAt(path: string): Operation | undefined {
  return byPath.get(path)
}

/** Named schemas of the OpenAPI document. */
export const components = {
  Quote: quoteResponse,
  QuoteBatch: batchResponse,
  Preparation: prepareResponse,
  PreparationBatch: prepareBatchResponse,
  DecodedQuote: decodeResponse,
  DecodedQuoteBatch: decodeBatchResponse,
  Deployments: deploymentsResponse,
  Abi: abiResponse,
  AbiList: abiListResponse,
  Manifest: manifestResponse,
  Discovery: discoveryResponse,
  Health: healthResponse,
  Stats: statsResponse,
  Badge: badgeResponse,
  Solvency: solvencyResponse,
  Tokens: tokensResponse,
  Prices: priceResponse,
  Xray: xrayResponse,
  Error: errorResponse,
} as const satisfies Record<string, z.ZodType>
