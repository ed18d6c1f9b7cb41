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
import type { Address } from 'viem'
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
  /** Connector hints that are worth giving to a call whose caller names none. @default none */
  hintsFor?: ((request: QuoteRequest.QuoteRequest) => readonly Address[]) | undefined
  /** Key of the HMAC on prepared requests; instances that share it take each other's. */
  digestKey: string | undefined
}

export type PrepareRouteOptions = PrepareOptions & { prepareTexts: PrepareTexts }

/**
 * Calls in one batch that bring the contracts along. Each is a quarter of a megabyte and stands in the answer four times,
 * so more of them are more than an answer should be.
 */
const maxHeavyItems = 4

const cacheControl = 'no-store'
const headers = { 'cache-control': cacheControl }

/** GET /api/quote/prepare: pure, no node is asked. */
export function getPrepare(options: PrepareRouteOptions): Handler<AppEnv> {
  const { prepareTexts, registry } = options
  const answerQuickly = quickPrepare(options)
  return (c) => {
    const query = queryText(c.req.url)
    const { text } = answerQuickly(query) ?? {
      text: prepareTexts.of(preparable(readQuery(registry, query))),
    }
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
  return prepare(options, preparable(readQuery(options.registry, query)))
}

export function prepareItems(
  options: PrepareOptions,
  given: readonly unknown[],
): PrepareBatchResponse {
  let heavy = 0
  const items = given.map((item, index) =>
    prepareItem(options, item, {
      index,
      demandRoom({ stateOverride, name }) {
        if (stateOverride !== undefined && ++heavy > maxHeavyItems) throw tooHeavy(name)
      },
    }),
  )
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
  { demandRoom, index }: { index: number; demandRoom: (chain: Registry.ServedChain) => void },
): PrepareBatchResponse['items'][number] {
  try {
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw new ApiError('bad_request', 'Each request must be an object of quote parameters.')
    const request = preparable(parseQuoteRequest(options.registry, rawFromItem(item)))
    demandRoom(request.chain)
    return prepare(options, request, index)
  } catch (error) {
    const answer = toApiError(error)
    if (answer.code === 'internal') throw error
    return encodeError(answer) as PrepareBatchResponse['items'][number]
  }
}

/** @throws ApiError where a call of the Quoter alone cannot give what is asked. */
function preparable(request: QuoteRequest.QuoteRequest): QuoteRequest.QuoteRequest {
  if (request.signature !== 'permit') return request
  const reason = 'must be permit2 here: what a token signs under has to be read of it'
  const details = [{ field: 'signature', code: 'bad_param' as const, reason }]
  throw new ApiError('bad_param', `\`signature\` ${reason}.`, { details })
}

function tooHeavy(chain: string): ApiError {
  return new ApiError(
    'too_large',
    `Nothing is deployed on ${chain} yet, so each call brings the contracts along; prepare ${maxHeavyItems} of them at a time.`,
  )
}

/** The request with the hints that are known for it, unless it names its own. */
export function hinted(
  { hintsFor }: Pick<PrepareOptions, 'hintsFor'>,
  request: QuoteRequest.QuoteRequest,
): QuoteRequest.QuoteRequest {
  if (hintsFor === undefined || request.connectors.length > 0) return request
  return { ...request, connectors: hintsFor(request) }
}

function prepare(
  options: PrepareOptions,
  given: QuoteRequest.QuoteRequest,
  id?: number,
): PrepareResponse {
  const { digestKey, now, publicRpcUrls } = options
  const request = hinted(options, given)
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
