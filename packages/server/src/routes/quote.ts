import { parseQuoteRequest, rawFromQuery } from '@sluice/api'
import type { Registry } from '@sluice/domain'
import type { Engine } from '@sluice/engine'
import type { Handler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { answerQuote } from './answerQuote.js'
import { cacheControl } from './cacheControl.js'

export type QuoteRouteOptions = { engine: Engine; registry: Registry.Registry; now: () => number }

/** GET /api/quote */
export function getQuote({ engine, now, registry }: QuoteRouteOptions): Handler<AppEnv> {
  return async (c) => {
    const startedAt = now()
    const { raw, repeated } = rawFromQuery(new URL(c.req.url).searchParams)
    const request = parseQuoteRequest(registry, raw, repeated)
    const answer = await engine.quote(request, { signal: c.req.raw.signal })
    const endedAt = now()
    c.header('cache-control', cacheControl(answer, endedAt))
    return c.json(answerQuote(answer, { now: endedAt, startedAt }))
  }
}
