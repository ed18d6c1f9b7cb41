import type { Registry } from '@sluice/domain'
import type { Engine } from '@sluice/engine'
import type { Context, Handler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { clientSignal } from '../http/clientSignal.js'
import type { QuickAnswer } from '../http/QuickAnswer.js'
import { queryText } from '../http/queryOf.js'
import { respond, respondText } from '../http/respond.js'
import type { Metrics } from '../metrics.js'
import { answerQuote } from './answerQuote.js'
import { cacheControl as cacheControlOf } from './cacheControl.js'
import { hitPoints, pointsOf } from './pointsOf.js'
import { type KnownQuote, type QuoteTexts, textOf } from './QuoteTexts.js'
import { readQuoteQuery } from './readQuery.js'

export type QuoteRouteOptions = {
  engine: Engine
  /** Answers that are known. */
  texts: QuoteTexts
  registry: Registry.Registry
  now: () => number
  metrics?: Metrics | undefined
}

/** GET /api/quote */
export function getQuote(options: QuoteRouteOptions): Handler<AppEnv> {
  const { engine, metrics, now, texts } = options
  const ask = async (c: Context<AppEnv>, query: string) => {
    const startedAt = now()
    const signal = clientSignal(c)
    const request = await readQuoteQuery(options, query, signal)
    const answer = await engine.quote(request, { signal })
    const endedAt = now()
    metrics?.noteQuote(answer, endedAt)
    c.set('points', pointsOf([answer]))
    texts.put(query, answer)
    return respond(c, answerQuote(answer, { now: endedAt, startedAt }), {
      headers: { 'cache-control': cacheControlOf(answer, endedAt) },
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
  c.set('points', hitPoints)
  const { cacheControl, text } = hitOf(known, options)
  return respondText(c, text, { headers: { 'cache-control': cacheControl } })
}

function hitOf(known: KnownQuote, { metrics, now }: QuoteRouteOptions): QuickAnswer {
  const at = now()
  metrics?.noteQuote(known.hit, at)
  return { text: textOf(known, at), cacheControl: cacheControlOf(known.hit, at) }
}

/** GET /api/quote, where the answer is known. */
export function quickQuote(options: QuoteRouteOptions) {
  return (query: string): QuickAnswer | undefined => {
    const known = options.texts.find(query)
    return known && hitOf(known, options)
  }
}
