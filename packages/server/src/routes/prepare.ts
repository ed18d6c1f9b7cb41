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
import { Preparation, type QuoteRequest, type Registry, type Undeployed } from '@sluice/domain'
import type { Handler } from 'hono'
import type { Address } from 'viem'
import type { AppEnv } from '../AppEnv.js'
import { queryText } from '../http/queryOf.js'
import { readJsonBody } from '../http/readBody.js'
import { respond } from '../http/respond.js'
import { toApiError } from '../middleware/handleErrors.js'
import { macOf, sha256 } from '../sha256.js'
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

/**
 * Calls in one batch that each bring the contracts along. Each is a quarter of a megabyte and stands in the answer four
 * times, so more of them are more than an answer should be.
 */
const maxHeavyItems = 4

const headers = { 'cache-control': 'no-store' }

/** GET /api/quote/prepare: pure, no node is asked. */
export function getPrepare(options: PrepareOptions): Handler<AppEnv> {
  return (c) => respond(c, prepareQuery(options, queryText(c.req.url)), { headers })
}

/** POST /api/quote/prepare: up to 32 as one JSON-RPC batch. */
export function postPrepare(options: PrepareOptions): Handler<AppEnv> {
  return async (c) => {
    refuseQuery(c.req.url)
    const { overrides, requests } = parsePrepareBatch(await readJsonBody(c.req.raw))
    return respond(c, prepareItems(options, requests, overrides), { headers })
  }
}

/** @throws ApiError */
export function prepareQuery(options: PrepareOptions, query: string): PrepareResponse {
  const request = preparable(readQuery(options.registry, query))
  return prepare(options, request, { id: 1, form: 'inline' }) as PrepareResponse
}

/** @param form How calls give the state override that they need. */
export function prepareItems(
  options: PrepareOptions,
  given: readonly unknown[],
  form: OverrideForm,
): PrepareBatchResponse {
  const overrides: Record<string, Undeployed.StateOverride> = {}
  let heavy = 0
  const place = ({ chainId, name, stateOverride }: Registry.ServedChain) => {
    if (stateOverride === undefined) return 'inline'
    if (form === 'shared') overrides[chainId] = stateOverride
    else if (++heavy > maxHeavyItems) throw tooHeavy(name)
    return form
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
  { index, place }: { index: number; place: (chain: Registry.ServedChain) => OverrideForm },
): Item {
  try {
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw new ApiError('bad_request', 'Each request must be an object of quote parameters.')
    const request = preparable(parseQuoteRequest(options.registry, givenFromItem(item)))
    return prepare(options, request, { id: index, form: place(request.chain) })
  } catch (error) {
    const answer = toApiError(error)
    if (answer.code === 'internal') throw error
    return encodeError(answer) as Item
  }
}

/** @throws ApiError if a call of the Quoter alone cannot give what is asked. */
function preparable(request: QuoteRequest.QuoteRequest): QuoteRequest.QuoteRequest {
  if (request.signature !== 'permit') return request
  const reason = 'must be permit2 here: what a token signs under has to be read of it'
  const details = [{ field: 'signature', code: 'bad_param' as const, reason }]
  throw new ApiError('bad_param', `\`signature\` ${reason}.`, { details })
}

function tooHeavy(chain: string): ApiError {
  return new ApiError(
    'too_large',
    `Nothing is deployed on ${chain} yet, so each call brings the contracts along; prepare ${maxHeavyItems} of them at a time, or leave \`overrides\` out.`,
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
  { form, id }: { form: OverrideForm; id: number },
): Extract<Item, { ok: true }> {
  const { digestKey, now, publicRpcUrls } = options
  const request = hinted(options, given)
  // In whole seconds, so that equal questions of one second have equal answers.
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
