import {
  ApiError,
  encodeError,
  type PrepareBatchResponse,
  type PrepareResponse,
  parseBatch,
  parseQuoteRequest,
  prepareEnvelope,
  rawFromItem,
} from '@sluice/api'
import { Preparation, type QuoteRequest, type Registry } from '@sluice/domain'
import type { Handler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import type { QuickRoute } from '../http/QuickAnswer.js'
import { queryText } from '../http/queryOf.js'
import { readJsonBody } from '../http/readBody.js'
import { respond, respondText } from '../http/respond.js'
import { toApiError } from '../middleware/handleErrors.js'
import { macOf, sha256 } from '../sha256.js'
import { type PrepareTexts, secondOf } from './PrepareTexts.js'
import { readQuery } from './readQuery.js'
import { refuseQuery } from './refuseQuery.js'

export type PrepareOptions = {
  registry: Registry.Registry
  /** Unix milliseconds. */
  now: () => number
  /** Addresses of nodes that may be told. */
  publicRpcUrls: ReadonlyMap<number, readonly string[]>
  /** Key of the HMAC on prepared requests; instances that share it take each other's. */
  digestKey: string | undefined
}

export type PrepareRouteOptions = PrepareOptions & { prepareTexts: PrepareTexts }

const cacheControl = 'no-store'
const headers = { 'cache-control': cacheControl }

/** GET /api/quote/prepare: pure, no node is asked. */
export function getPrepare(options: PrepareRouteOptions): Handler<AppEnv> {
  const { prepareTexts, registry } = options
  const answerQuickly = quickPrepare(options)
  return (c) => {
    const query = queryText(c.req.url)
    const { text } = answerQuickly(query) ?? { text: prepareTexts.of(readQuery(registry, query)) }
    return respondText(c, text, { headers })
  }
}

/** GET /api/quote/prepare, for a plain query. */
export function quickPrepare({ prepareTexts }: PrepareRouteOptions): QuickRoute {
  return (query) => {
    const found = prepareTexts.find(query)
    return found && { text: found.text, bytes: found.bytes, cacheControl }
  }
}

/** POST /api/quote/prepare: up to 32 as one JSON-RPC batch. */
export function postPrepare(options: PrepareOptions): Handler<AppEnv> {
  return async (c) => {
    refuseQuery(c.req.url)
    const items = parseBatch(await readJsonBody(c.req.raw), prepareEnvelope)
    return respond(c, prepareItems(options, items), { headers })
  }
}

/** @throws ApiError */
export function prepareQuery(options: PrepareOptions, query: string): PrepareResponse {
  return prepare(options, readQuery(options.registry, query))
}

export function prepareItems(
  options: PrepareOptions,
  given: readonly unknown[],
): PrepareBatchResponse {
  const items = given.map((item, index) => prepareItem(options, item, index))
  const calls = items.flatMap((item) => (item.ok ? [item] : []))
  const rpcUrlOf = (chainId: number) => options.publicRpcUrls.get(chainId)?.[0]
  const curl = Preparation.batchCurlOf(calls, { rpcUrlOf })
  return {
    ok: true,
    mode: 'prepare',
    count: items.length,
    rpcBatch: calls.map(({ rpcRequest }) => rpcRequest),
    items,
    ...(curl !== undefined && { curl }),
  }
}

function prepareItem(
  options: PrepareOptions,
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
  { digestKey, now, publicRpcUrls }: PrepareOptions,
  request: QuoteRequest.QuoteRequest,
  id?: number,
): PrepareResponse {
  const preparation = Preparation.from(request, {
    preparedAt: secondOf(now()),
    rpcUrl: publicRpcUrls.get(request.chain.chainId)?.[0],
    hash: sha256,
    id,
  })
  if (digestKey === undefined) return preparation
  const mac = macOf(preparation.request.digest, digestKey)
  return { ...preparation, request: { ...preparation.request, mac } }
}
