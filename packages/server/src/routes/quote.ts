import { rawFromQuery } from '@sluice/api'
import type { Registry } from '@sluice/domain'
import type { Engine } from '@sluice/engine'
import type { Context, Handler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { clientSignal } from '../http/clientSignal.js'
import { queryText } from '../http/queryOf.js'
import { respond, respondText } from '../http/respond.js'
import type { Metrics } from '../metrics.js'
import { answerQuote } from './answerQuote.js'
import { cacheControl } from './cacheControl.js'
import { hitPoints, pointsOf } from './pointsOf.js'
import { createQuoteTexts, type KnownQuote, textOf } from './QuoteTexts.js'
import { readRequest } from './readRequest.js'

export type QuoteRouteOptions = {
  engine: Engine
  registry: Registry.Registry
  now: () => number
  metrics?: Metrics | undefined
}

/** GET /api/quote */
export function getQuote(options: QuoteRouteOptions): Handler<AppEnv> {
  const { engine, metrics, now } = options
  const texts = createQuoteTexts(engine)
  const ask = async (c: Context<AppEnv>, query: string) => {
    const startedAt = now()
    const { raw, repeated } = rawFromQuery(new URLSearchParams(query))
    const signal = clientSignal(c)
    const request = await readRequest(options, raw, { alreadyWrong: repeated, signal })
    const answer = await engine.quote(request, { signal })
    const endedAt = now()
    metrics?.noteQuote(answer, endedAt)
    c.set('points', pointsOf([answer]))
    texts.put(query, answer)
    return respond(c, answerQuote(answer, { now: endedAt, startedAt }), {
      headers: { 'cache-control': cacheControl(answer, endedAt) },
    })
  }
  return (c) => {
    const query = queryText(c.req.url)
    const known = texts.find(query)
    return known === undefined ? ask(c, query) : answerKnown(c, known, options)
  }
}

/** The same question on the same block: a hit, whatever it was the first time. */
function answerKnown(c: Context<AppEnv>, known: KnownQuote, options: QuoteRouteOptions): Response {
  const now = options.now()
  options.metrics?.noteQuote(known.hit, now)
  c.set('points', hitPoints)
  const headers = { 'cache-control': cacheControl(known.hit, now) }
  return respondText(c, textOf(known, now), { headers })
}
