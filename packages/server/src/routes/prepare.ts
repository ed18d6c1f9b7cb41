import { createHmac } from 'node:crypto'
import {
  ApiError,
  encodeError,
  type PrepareBatchResponse,
  type PrepareResponse,
  parseBatch,
  parseQuoteRequest,
  prepareEnvelope,
  rawFromItem,
  readPlainQuery,
} from '@sluice/api'
import { Preparation, type QuoteRequest, type Registry } from '@sluice/domain'
import type { Handler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import type { QuickAnswer } from '../http/QuickAnswer.js'
import { queryText } from '../http/queryOf.js'
import { readJsonBody } from '../http/readBody.js'
import { respond, respondText } from '../http/respond.js'
import { toApiError } from '../middleware/handleErrors.js'
import { sha256 } from '../sha256.js'
import { readQuery } from './readQuery.js'
import { refuseQuery } from './refuseQuery.js'

export type PrepareRouteOptions = {
  registry: Registry.Registry
  /** Unix milliseconds. */
  now: () => number
  /** Addresses of nodes that may be told. */
  publicRpcUrls: ReadonlyMap<number, readonly string[]>
  /** Key of the HMAC on prepared requests; instances that share it take each other's. */
  digestKey: string | undefined
}

const headers = { 'cache-control': 'no-store' }

/** GET /api/quote/prepare: pure, no node is asked. */
export function getPrepare(options: PrepareRouteOptions): Handler<AppEnv> {
  return (c) => {
    const request = readQuery(options.registry, queryText(c.req.url))
    return respondText(c, textOf(options, request), { headers })
  }
}

/** The same for a plain query. */
export function quickPreparation(options: PrepareRouteOptions) {
  return (query: string): QuickAnswer | undefined => {
    const request = readPlainQuery(options.registry, query)
    return request && { text: textOf(options, request), cacheControl: headers['cache-control'] }
  }
}

function textOf(options: PrepareRouteOptions, request: QuoteRequest.QuoteRequest): string {
  const { digestKey } = options
  return Preparation.textOf(request, {
    ...preparationOptions(options, request),
    macOf: digestKey === undefined ? undefined : (digest) => macOf(digest, digestKey),
  })
}

function preparationOptions(options: PrepareRouteOptions, { chain }: QuoteRequest.QuoteRequest) {
  return {
    preparedAt: preparedAt(options),
    rpcUrl: options.publicRpcUrls.get(chain.chainId)?.[0],
    hash: sha256,
  }
}

/** In whole seconds, so that equal questions of one second have equal answers. */
function preparedAt({ now }: PrepareRouteOptions): number {
  return Math.floor(now() / 1_000) * 1_000
}

/** POST /api/quote/prepare: up to 32 as one JSON-RPC batch. */
export function postPrepare(options: PrepareRouteOptions): Handler<AppEnv> {
  return async (c) => {
    refuseQuery(c.req.url)
    const items = parseBatch(await readJsonBody(c.req.raw), prepareEnvelope)
    return respond(c, prepareItems(options, items), { headers })
  }
}

/** @throws ApiError */
export function prepareQuery(options: PrepareRouteOptions, query: string): PrepareResponse {
  return prepare(options, readQuery(options.registry, query))
}

export function prepareItems(
  options: PrepareRouteOptions,
  given: readonly unknown[],
): PrepareBatchResponse {
  const items = given.map((item, index) => prepareItem(options, item, index))
  const rpcBatch = items.flatMap((item) => (item.ok ? [item.rpcRequest] : []))
  return {
    ok: true,
    mode: 'prepare',
    count: items.length,
    rpcBatch,
    items,
    curl: Preparation.curlOf(rpcBatch),
  }
}

function prepareItem(
  options: PrepareRouteOptions,
  item: unknown,
  index: number,
): PrepareBatchResponse['items'][number] {
  try {
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw new ApiError('bad_request', 'Each request must be an object of quote parameters.')
    return prepare(options, parseQuoteRequest(options.registry, rawFromItem(item)), index)
  } catch (error) {
    const answer = toApiError(error)
    if (answer.code === 'internal') throw error
    return encodeError(answer) as PrepareBatchResponse['items'][number]
  }
}

function prepare(
  options: PrepareRouteOptions,
  request: QuoteRequest.QuoteRequest,
  id?: number,
): PrepareResponse {
  const { digestKey } = options
  const preparation = Preparation.from(request, { ...preparationOptions(options, request), id })
  if (digestKey === undefined) return preparation
  const mac = macOf(preparation.request.digest, digestKey)
  return { ...preparation, request: { ...preparation.request, mac } }
}

export function macOf(digest: string, key: string): string {
  return `0x${createHmac('sha256', key).update(digest).digest('hex')}`
}
