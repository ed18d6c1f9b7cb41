import { rawFromQuery } from '@sluice/api'
import type { Handler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { clientSignal } from '../http/clientSignal.js'
import { queryOf } from '../http/queryOf.js'
import { respondText } from '../http/respond.js'
import { pictureHeaders, routeSvg } from '../pages/routeSvg.js'
import { cacheControl } from './cacheControl.js'
import { chargeMiss, missPointsOf, pointsOf } from './pointsOf.js'
import type { QuoteRouteOptions } from './quote.js'
import { readRequest } from './readRequest.js'

/** GET /api/quote/route.svg: the route of the same quote, drawn. */
export function getRoutePicture(options: QuoteRouteOptions): Handler<AppEnv> {
  const { callers, engine, metrics, now } = options
  return async (c) => {
    const { raw, repeated } = rawFromQuery(queryOf(c.req.url))
    const signal = clientSignal(c)
    const request = await readRequest(options, raw, { alreadyWrong: repeated, signal })
    await chargeMiss(c, missPointsOf(request))
    const answer = await engine.quote(request, { signal, caller: callers.of(c.env?.incoming) })
    metrics?.noteQuote(answer, now())
    c.set('points', pointsOf([answer]))
    const headers = { ...pictureHeaders, 'cache-control': cacheControl(answer, now()) }
    return respondText(c, routeSvg(answer.quote.plan.route, request), { headers })
  }
}
