import {
  ApiError,
  encodeError,
  givenFromItem,
  type OverrideForm,
  type PrepareBatchResponse,
  type PrepareResponse,
  parsePrepareBatch,
  parseQuoteRequest,
} from '@sluice/api'
import { Preparation, QuoteRequest, type Registry, type Undeployed } from '@sluice/domain'
import type { Engine } from '@sluice/engine'
import { queryText } from '../http/queryOf.js'
import { readJsonBody } from '../http/readBody.js'
import { respond } from '../http/respond.js'
import { toApiError } from '../middleware/handleErrors.js'
import type { Run } from '../middleware/Layer.js'
import { macOf, sha256 } from '../sha256.js'
import { readQuery } from './readQuery.js'
import { refuseQuery } from './refuseQuery.js'

export type PrepareOptions = {
  registry: Registry.Registry
  /** Unix milliseconds. */
  now: () => number
  /** URLs of nodes that may be published. */
  publicRpcUrls: ReadonlyMap<number, readonly string[]>
  /** Returns hints for a call whose caller names none. @default none */
  hintsFor?: Engine['hintsFor'] | undefined
  /** The venues of a chain, if they are known. @default only their numbers can be excluded */
  venuesOf?: Engine['venues'] | undefined
  /** Key of the HMAC on prepared requests; instances with the same key accept each other's. */
  digestKey: string | undefined
}

/**
 * Maximum number of calls in one batch that each contain the contracts. Each takes a quarter of a megabyte and appears
 * four times in the response.
 */
const maxHeavyItems = 4

const headers = { 'cache-control': 'no-store' }

/** GET /api/quote/prepare. Asks no node. */
export function getPrepare(options: PrepareOptions): Run {
  return (c) => respond(c, prepareQuery(options, queryText(c.req.url)), { headers })
}

/** POST /api/quote/prepare: up to 32 requests as one JSON-RPC batch. */
export function postPrepare(options: PrepareOptions): Run {
  return async (c) => {
    refuseQuery(c.req.url)
    const { overrides, requests } = parsePrepareBatch(await readJsonBody(c.req.raw))
    return respond(c, prepareItems(options, requests, overrides), { headers })
  }
}

/** @throws ApiError */
export function prepareQuery(options: PrepareOptions, query: string): PrepareResponse {
  const request = preparable(readQuery(options, query))
  return prepare(options, request, { id: 1, form: 'inline' }) as PrepareResponse
}

/** @param form How calls contain the state override that they need. */
export function prepareItems(
  options: PrepareOptions,
  given: readonly unknown[],
  form: OverrideForm,
): PrepareBatchResponse {
  const overrides: Record<string, Undeployed.StateOverride> = {}
  let heavy = 0
  const place = ({ chain, overrides: own }: QuoteRequest.QuoteRequest) => {
    const { chainId, name, stateOverride } = chain
    if (stateOverride === undefined) return 'inline'
    // A call with a state of its own cannot share one.
    if (form === 'shared' && own === undefined) overrides[chainId] = stateOverride
    else if (++heavy > maxHeavyItems) throw tooHeavy(name)
    return own === undefined ? form : 'inline'
  }
  const items = given.map((item, index) => prepareItem(options, item, { index, place }))
  const calls = items.flatMap((item) => (item.ok ? [item] : []))
  const rpcUrlOf = (chainId: number) => options.publicRpcUrls.get(chainId)?.[0]
  const isShared = Object.keys(overrides).length > 0
  const curl = isShared ? undefined : Preparation.batchCurlOf(calls, { rpcUrlOf })
  return {
    ok: true,
    mode: 'prepare',
    count: items.length,
    rpcBatch: calls.map(({ rpcRequest }) => rpcRequest),
    items,
    ...(isShared && { overrides }),
    ...(curl !== undefined && { curl }),
  }
}

type Item = PrepareBatchResponse['items'][number]

function prepareItem(
  options: PrepareOptions,
  item: unknown,
  { index, place }: { index: number; place: (request: QuoteRequest.QuoteRequest) => OverrideForm },
): Item {
  try {
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw new ApiError('bad_request', 'Each request must be an object of quote parameters.')
    const { registry, venuesOf } = options
    const request = preparable(parseQuoteRequest(registry, givenFromItem(item), { venuesOf }))
    return prepare(options, request, { id: index, form: place(request) })
  } catch (error) {
    const answer = toApiError(error)
    if (answer.code === 'internal') throw error
    return encodeError(answer) as Item
  }
}

/** @throws ApiError if a call to the Quoter alone cannot provide what was requested. */
function preparable(request: QuoteRequest.QuoteRequest): QuoteRequest.QuoteRequest {
  if (request.signature !== 'permit') return request
  const reason = 'must be permit2 here: a permit of the token needs data that only a node can read'
  const details = [{ field: 'signature', code: 'bad_param' as const, reason }]
  throw new ApiError('bad_param', `\`signature\` ${reason}.`, { details })
}

function tooHeavy(chain: string): ApiError {
  return new ApiError(
    'too_large',
    `No contracts are deployed on ${chain}, so a call that is \`inline\` or has \`overrides\` must contain them. Prepare at most ${maxHeavyItems} such calls at a time.`,
  )
}

/** Adds the known hints to a request, unless it names its own. */
export function hinted(
  { hintsFor }: Pick<PrepareOptions, 'hintsFor'>,
  request: QuoteRequest.QuoteRequest,
): QuoteRequest.QuoteRequest {
  if (hintsFor === undefined || QuoteRequest.hasHints(request)) return request
  const { connectors, pools } = hintsFor(request)
  return { ...request, connectors, ...(pools.length > 0 && { pools }) }
}

function prepare(
  options: PrepareOptions,
  given: QuoteRequest.QuoteRequest,
  { form, id }: { form: OverrideForm; id: number },
): Extract<Item, { ok: true }> {
  const { digestKey, now, publicRpcUrls } = options
  const request = hinted(options, given)
  // Rounded down to seconds, so that equal requests within a second get equal responses.
  const preparedAt = Math.floor(now() / 1_000) * 1_000
  const common = { preparedAt, hash: sha256, id }
  const rpcUrl = publicRpcUrls.get(request.chain.chainId)?.[0]
  const preparation =
    form === 'shared'
      ? Preparation.referring(request, common)
      : Preparation.from(request, { ...common, rpcUrl })
  if (digestKey === undefined) return preparation
  const mac = macOf(preparation.request.digest, digestKey)
  return { ...preparation, request: { ...preparation.request, mac } }
}
