import {
  ApiError,
  type BatchResponse,
  encodeError,
  givenFromItem,
  parseBatch,
  type QuoteResponse,
} from '@sluice/api'
import type { QuoteRequest } from '@sluice/domain'
import type { QuoteAnswer, Settled } from '@sluice/engine'
import { clientSignal } from '../http/clientSignal.js'
import { readJsonBody } from '../http/readBody.js'
import { respond } from '../http/respond.js'
import { toApiError } from '../middleware/handleErrors.js'
import type { Run } from '../middleware/Layer.js'
import { answerQuote } from './answerQuote.js'
import { asidesOf } from './asides.js'
import { explainAnswer, explainError, explainPointsOf } from './explained.js'
import { chargeMiss, missPointsOf, pointsOf, previewPoints } from './pointsOf.js'
import type { QuoteRouteOptions } from './quote.js'
import { readRequest } from './readRequest.js'
import { refuseQuery } from './refuseQuery.js'

/** POST /api/quote/batch: each item succeeds or fails on its own. All quotes on one chain use the same block. */
export function postQuoteBatch(options: QuoteRouteOptions): Run {
  const { callers, engine, metrics, now } = options
  return async (c) => {
    const startedAt = now()
    refuseQuery(c.req.url)
    const given = parseBatch(await readJsonBody(c.req.raw))
    await chargeMiss(c, previewPoints * given.length)
    const signal = clientSignal(c)
    const items = await Promise.all(given.map((item) => read(options, item, signal)))
    const requests = items.flatMap((item) => (item.ok ? [item.value] : []))
    const asides = requests.map((request) => asidesOf(engine, request))
    const beside =
      asides.reduce((sum, each) => sum + (each?.points ?? 0), 0) +
      requests.reduce((sum, each) => sum + explainPointsOf(each), 0)
    const extra = requests.reduce((sum, each) => sum + missPointsOf(each) - previewPoints, beside)
    if (extra > 0) await c.get('charge')?.(extra)
    const caller = callers.of(c.env?.incoming)
    const readings = asides.map((each) => each?.start({ signal, caller }))
    const answers = await engine.quoteMany(requests, { signal, caller })
    const completed = await Promise.all(
      answers.map(async (answer, index): Promise<Completed> => {
        const [request, options] = [requests[index]!, { signal, caller }]
        if (!answer.ok)
          return { ok: false, error: await explainError(engine, request, answer.error, options) }
        const { netOut, route } = answer.value.quote.plan
        const amounts = { amountIn: route.amountIn, amountOut: netOut }
        const [usd, explain] = await Promise.all([
          readings[index]?.(amounts),
          explainAnswer(engine, answer.value, options),
        ])
        return { ...answer, beside: { ...(usd && { usd }), ...(explain && { explain }) } }
      }),
    )
    const times = { now: now(), startedAt }
    const quoted = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
    for (const answer of quoted) metrics?.noteQuote(answer, times.now)
    const failed = previewPoints * (items.length - quoted.length)
    c.set('points', pointsOf(quoted) + failed + beside)
    const inOrder = completed.values()
    const results = items.map((item): BatchResponse['results'][number] => {
      const answer = item.ok ? inOrder.next().value! : item
      return answer.ok
        ? answerQuote(engine, answer.value, times, answer.beside)
        : (encodeError(loud(answer.error)) as BatchResponse['results'][number])
    })
    const body = { ok: true, count: results.length, results } satisfies BatchResponse
    return respond(c, body, { headers: { 'cache-control': 'no-store' } })
  }
}

/** A quote with what was requested beside it, or its error. */
type Completed =
  | { ok: true; value: QuoteAnswer; beside: Pick<QuoteResponse, 'usd' | 'explain'> }
  | Extract<Settled<never>, { ok: false }>

async function read(
  options: QuoteRouteOptions,
  item: unknown,
  signal: AbortSignal,
): Promise<Settled<QuoteRequest.QuoteRequest>> {
  try {
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw new ApiError('bad_request', 'Each request must be an object of quote parameters.')
    return { ok: true, value: await readRequest(options, givenFromItem(item), { signal }) }
  } catch (error) {
    return { ok: false, error }
  }
}

/** Returns the error of an item. Rethrows internal errors, which fail the whole request and are logged. */
function loud(error: unknown): ApiError {
  const answer = toApiError(error)
  if (answer.code === 'internal') throw error
  return answer
}
