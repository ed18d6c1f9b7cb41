import type { Registry } from '@sluice/domain'
import type { Engine } from '@sluice/engine'
import type { Context, Handler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import type { Callers } from '../http/callers.js'
import { clientSignal } from '../http/clientSignal.js'
import type { QuickRoute } from '../http/QuickAnswer.js'
import { queryText } from '../http/queryOf.js'
import { respond, respondText } from '../http/respond.js'
import type { Metrics } from '../metrics/createMetrics.js'
import { answerQuote } from './answerQuote.js'
import { cacheControl as cacheControlOf } from './cacheControl.js'
import { chargeMiss, hitPoints, missPointsOf, pointsOf } from './pointsOf.js'
import { type QuoteTexts, textOf } from './QuoteTexts.js'
import { readQuoteQuery } from './readQuery.js'

export type QuoteRouteOptions = {
  engine: Engine
  /** Answers that are known. */
  quoteTexts: QuoteTexts
  registry: Registry.Registry
  now: () => number
  callers: Callers
  metrics?: Metrics | undefined
}

/** GET /api/quote */
export function getQuote(options: QuoteRouteOptions): Handler<AppEnv> {
  const { callers, engine, metrics, now, quoteTexts } = options
  const answerQuickly = quickQuote(options)
  const ask = async (c: Context<AppEnv>, query: string) => {
    const startedAt = now()
    const signal = clientSignal(c)
    const request = await readQuoteQuery(options, query, signal)
    await chargeMiss(c, missPointsOf(request))
    const answer = await engine.quote(request, { signal, caller: callers.of(c.env?.incoming) })
    const endedAt = now()
    metrics?.noteQuote(answer, endedAt)
    c.set('points', pointsOf([answer]))
    quoteTexts.put(query, answer)
    return respond(c, answerQuote(answer, { now: endedAt, startedAt }), {
      headers: { 'cache-control': cacheControlOf(answer, endedAt) },
    })
  }
  return (c) => {
    const query = queryText(c.req.url)
    const known = answerQuickly(query)
    if (known === undefined) return ask(c, query)
    c.set('points', hitPoints)
    return respondText(c, known.text, { headers: { 'cache-control': known.cacheControl } })
  }
}

/** GET /api/quote, where the answer is known. The same question on the same block is a hit, whatever it was before. */
export function quickQuote({
  metrics,
  now,
  quoteTexts,
}: Pick<QuoteRouteOptions, 'metrics' | 'now' | 'quoteTexts'>): QuickRoute {
  return (query) => {
    const known = quoteTexts.find(query)
    if (known === undefined) return undefined
    const at = now()
    metrics?.noteQuote(known.hit, at)
    const { bytes, text } = textOf(known, at)
    return { text, bytes, cacheControl: cacheControlOf(known.hit, at) }
  }
}
