import type { QuoteResponse } from '@sluice/api'
import type { Registry } from '@sluice/domain'
import type { Engine, QuoteAnswer } from '@sluice/engine'
import type { Context } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import type { Callers } from '../http/callers.js'
import { clientSignal } from '../http/clientSignal.js'
import { queryText } from '../http/queryOf.js'
import { respond } from '../http/respond.js'
import type { Metrics } from '../metrics/createMetrics.js'
import type { Run } from '../middleware/Layer.js'
import { answerQuote } from './answerQuote.js'
import { asidesOf } from './asides.js'
import { cacheControl as cacheControlOf } from './cacheControl.js'
import { explainAnswer, explainError, explainPointsOf } from './explained.js'
import { chargeMiss, hitPoints, missPointsOf, pointsOf } from './pointsOf.js'
import type { RecentAnswers } from './RecentAnswers.js'
import { readQuoteQuery } from './readQuery.js'

export type QuoteRouteOptions = {
  engine: Engine
  recentAnswers: RecentAnswers
  registry: Registry.Registry
  now: () => number
  callers: Callers
  metrics?: Metrics | undefined
}

/** GET /api/quote. An identical query on the same block is a cache hit. */
export function getQuote(options: QuoteRouteOptions): Run {
  const { callers, engine, metrics, now, recentAnswers } = options
  const ask = async (c: Context<AppEnv>, query: string): Promise<Asked> => {
    const signal = clientSignal(c)
    const found = recentAnswers.find(query)
    const request = found?.quote.request ?? (await readQuoteQuery(options, query, signal))
    const asides = asidesOf(engine, request)
    const points = (asides?.points ?? 0) + explainPointsOf(request)
    await chargeMiss(c, points + (found ? hitPoints : missPointsOf(request)))
    const caller = callers.of(c.env?.incoming)
    const reading = asides?.start({ signal, caller })
    const asked = found ?? engine.quote(request, { signal, caller })
    const answer = await Promise.resolve(asked).catch(async (error) => {
      throw await explainError(engine, request, error, { signal, caller })
    })
    if (found === undefined) recentAnswers.put(query, answer)
    const { netOut, route } = answer.quote.plan
    const amounts = { amountIn: route.amountIn, amountOut: netOut }
    const [usd, explain] = await Promise.all([
      reading?.(amounts),
      explainAnswer(engine, answer, { signal, caller }),
    ])
    return { answer, points, beside: { ...(usd && { usd }), ...(explain && { explain }) } }
  }
  return async (c) => {
    const startedAt = now()
    const query = queryText(c.req.url)
    const kept = recentAnswers.find(query)
    const isWhole = kept && !kept.quote.request.inUsd && !kept.quote.request.isExplained
    const { answer, beside, points } = isWhole
      ? { answer: kept, points: 0, beside: {} }
      : await ask(c, query)
    const endedAt = now()
    metrics?.noteQuote(answer, endedAt)
    c.set('points', pointsOf([answer]) + points)
    return respond(c, answerQuote(engine, answer, { now: endedAt, startedAt }, beside), {
      headers: { 'cache-control': cacheControlOf(answer, endedAt) },
    })
  }
}

type Asked = {
  readonly answer: QuoteAnswer
  /** Cost of what was read beside the quote. */
  readonly points: number
  readonly beside: Pick<QuoteResponse, 'usd' | 'explain'>
}
