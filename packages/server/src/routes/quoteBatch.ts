import {
  ApiError,
  type BatchResponse,
  encodeError,
  parseBatch,
  parseQuoteRequest,
  rawFromItem,
} from '@sluice/api'
import type { QuoteRequest, Registry } from '@sluice/domain'
import type { Settled } from '@sluice/engine'
import type { Handler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { clientSignal } from '../http/clientSignal.js'
import { readJsonBody } from '../http/readBody.js'
import { respond } from '../http/respond.js'
import { toApiError } from '../middleware/handleErrors.js'
import { answerQuote } from './answerQuote.js'
import { pointsOf } from './pointsOf.js'
import type { QuoteRouteOptions } from './quote.js'
import { refuseQuery } from './refuseQuery.js'

/** POST /api/quote/batch: each item succeeds or fails on its own; those of one chain are of one block. */
export function postQuoteBatch({
  engine,
  metrics,
  now,
  registry,
}: QuoteRouteOptions): Handler<AppEnv> {
  return async (c) => {
    const startedAt = now()
    refuseQuery(c.req.url)
    const items = parseBatch(await readJsonBody(c.req.raw)).map((item) => read(registry, item))
    const requests = items.flatMap((item) => (item.ok ? [item.value] : []))
    const answers = await engine.quoteMany(requests, { signal: clientSignal(c) })
    const times = { now: now(), startedAt }
    const quoted = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
    for (const answer of quoted) metrics?.noteQuote(answer, times.now)
    c.set('points', pointsOf(quoted) + answers.length - quoted.length)
    const inOrder = answers.values()
    const results = items.map((item): BatchResponse['results'][number] => {
      const answer = item.ok ? inOrder.next().value! : item
      return answer.ok
        ? answerQuote(answer.value, times)
        : (encodeError(loud(answer.error)) as BatchResponse['results'][number])
    })
    const body = { ok: true, count: results.length, results } satisfies BatchResponse
    return respond(c, body, { headers: { 'cache-control': 'no-store' } })
  }
}

function read(registry: Registry.Registry, item: unknown): Settled<QuoteRequest.QuoteRequest> {
  try {
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw new ApiError('bad_request', 'Each request must be an object of quote parameters.')
    return { ok: true, value: parseQuoteRequest(registry, rawFromItem(item)) }
  } catch (error) {
    return { ok: false, error }
  }
}

/** An error that belongs in an item's place; a fault of ours fails the request, where it is logged. */
function loud(error: unknown): ApiError {
  const answer = toApiError(error)
  if (answer.code === 'internal') throw error
  return answer
}
