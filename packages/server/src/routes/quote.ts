import type { Registry } from '@sluice/domain'
import type { Engine } from '@sluice/engine'
import type { Context } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import type { Callers } from '../http/callers.js'
import { clientSignal } from '../http/clientSignal.js'
import { queryText } from '../http/queryOf.js'
import { respond } from '../http/respond.js'
import type { Metrics } from '../metrics/createMetrics.js'
import type { Run } from '../middleware/Layer.js'
import { answerQuote } from './answerQuote.js'
import { cacheControl as cacheControlOf } from './cacheControl.js'
import { chargeMiss, missPointsOf, pointsOf } from './pointsOf.js'
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
  const ask = async (c: Context<AppEnv>, query: string) => {
    const signal = clientSignal(c)
    const request = await readQuoteQuery(options, query, signal)
    await chargeMiss(c, missPointsOf(request))
    const answer = await engine.quote(request, { signal, caller: callers.of(c.env?.incoming) })
    recentAnswers.put(query, answer)
    return answer
  }
  return async (c) => {
    const startedAt = now()
    const query = queryText(c.req.url)
    const answer = recentAnswers.find(query) ?? (await ask(c, query))
    const endedAt = now()
    metrics?.noteQuote(answer, endedAt)
    c.set('points', pointsOf([answer]))
    return respond(c, answerQuote(engine, answer, { now: endedAt, startedAt }), {
      headers: { 'cache-control': cacheControlOf(answer, endedAt) },
    })
  }
}
