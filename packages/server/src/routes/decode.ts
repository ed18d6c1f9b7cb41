import { timingSafeEqual } from 'node:crypto'
import {
  ApiError,
  type DecodeBatchResponse,
  type DecodeResponse,
  encodeDecoded,
  encodeError,
  type PreparedAnswer,
  parseDecode,
  parseDecodeItem,
} from '@sluice/api'
import { DecodedQuote, NodeResult, PreparedRequest, type Registry } from '@sluice/domain'
import type { Engine } from '@sluice/engine'
import { readJsonBody } from '../http/readBody.js'
import { respond } from '../http/respond.js'
import type { Metrics } from '../metrics/createMetrics.js'
import { detailsOf, toApiError } from '../middleware/handleErrors.js'
import type { Run } from '../middleware/Layer.js'
import { macOf, sha256 } from '../sha256.js'
import { refuseQuery } from './refuseQuery.js'

export type DecodeRouteOptions = {
  /** Names venues from memory. */
  engine: Pick<Engine, 'tokens' | 'venues'>
  registry: Registry.Registry
  /** Unix milliseconds. */
  now: () => number
  digestKey: string | undefined
  /** Maximum age of an answer's block at the time of preparation, in seconds. If unset, the default. */
  maxBlockAgeSec: number | undefined
  metrics?: Metrics | undefined
}

/** POST /api/quote/decode. Asks no node. */
export function postDecode(options: DecodeRouteOptions): Run {
  return async (c) => {
    refuseQuery(c.req.url)
    const ask = parseDecode(await readJsonBody(c.req.raw))
    const body =
      ask.kind === 'single' ? decodeItem(options, ask.item) : decodeItems(options, ask.items)
    return respond(c, body, { headers: { 'cache-control': 'no-store' } })
  }
}

function decodeItems(options: DecodeRouteOptions, items: readonly unknown[]): DecodeBatchResponse {
  const results = items.map((item): DecodeBatchResponse['results'][number] => {
    try {
      return decodeItem(options, item)
    } catch (error) {
      const answer = toApiError(error)
      if (answer.code === 'internal') throw error
      return encodeError(answer) as DecodeBatchResponse['results'][number]
    }
  })
  return { ok: true, count: results.length, results }
}

/** @throws ApiError */
function decodeItem(options: DecodeRouteOptions, item: unknown): DecodeResponse {
  const answer = parseDecodeItem(item)
  const { prepared, result } = answer
  const { metrics } = options
  demandMac(answer, options.digestKey)
  try {
    const decoded = DecodedQuote.from(options.registry, {
      prepared,
      result,
      now: options.now(),
      maxBlockAgeSec: options.maxBlockAgeSec,
      hash: sha256,
    })
    metrics?.noteDecode('sound')
    const { engine } = options
    const { chainId } = decoded.quote.request.chain
    const names = { venues: engine.venues(chainId), tokens: engine.tokens(chainId).known }
    return encodeDecoded(decoded, names)
  } catch (error) {
    metrics?.noteDecode(resultOf(error))
    throw nameFailure(error)
  }
}

function demandMac({ prepared }: PreparedAnswer, digestKey: string | undefined): void {
  if (digestKey === undefined) return
  const expected = Buffer.from(macOf(prepared.digest, digestKey))
  const given = Buffer.from(prepared.mac ?? '')
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new ApiError('bad_request', '`request` was not made by this service: its `mac` is wrong.')
}

/** Returns the failed check, for the metrics. */
function resultOf(error: unknown): string {
  if (error instanceof NodeResult.BadResultError) return error.check
  if (error instanceof NodeResult.NoQuoteError) return 'no_quote'
  return error instanceof PreparedRequest.NotPreparedError ? 'not_prepared' : 'fault'
}

function nameFailure(error: unknown): unknown {
  if (error instanceof NodeResult.BadResultError) {
    const details = [{ field: 'result', code: 'bad_result' as const, reason: error.check }]
    return new ApiError('bad_result', error.message, { details })
  }
  if (error instanceof PreparedRequest.NotPreparedError)
    return new ApiError('bad_request', error.message)
  if (error instanceof NodeResult.NoQuoteError)
    return new ApiError(error.code, error.message, { details: detailsOf(error) })
  return error
}
