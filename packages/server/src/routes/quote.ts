import { parseQuoteRequest, rawFromQuery } from '@sluice/api'
import type { Registry } from '@sluice/domain'
import type { Engine } from '@sluice/engine'
import type { Handler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { clientSignal } from '../http/clientSignal.js'
import { queryOf } from '../http/queryOf.js'
import { respond } from '../http/respond.js'
import type { Metrics } from '../metrics.js'
import { answerQuote } from './answerQuote.js'
import { cacheControl } from './cacheControl.js'
import { pointsOf } from './pointsOf.js'

export type QuoteRouteOptions = {
  engine: Engine
  registry: Registry.Registry
  now: () => number
  metrics?: Metrics | undefined
}

/** GET /api/quote */
export function getQuote({ engine, metrics, now, registry }: QuoteRouteOptions): Handler<AppEnv> {
  return async (c) => {
    const startedAt = now()
    const { raw, repeated } = rawFromQuery(queryOf(c.req.url))
    const request = parseQuoteRequest(registry, raw, repeated)
    const answer = await engine.quote(request, { signal: clientSignal(c) })
    const endedAt = now()
    metrics?.noteQuote(answer, endedAt)
    c.set('points', pointsOf([answer]))
    return respond(c, answerQuote(answer, { now: endedAt, startedAt }), {
      headers: { 'cache-control': cacheControl(answer, endedAt) },
    })
  }
}
