import { splitPictureQuery } from '@sluice/api'
import { clientSignal } from '../http/clientSignal.js'
import { queryText } from '../http/queryOf.js'
import { respondText } from '../http/respond.js'
import type { Run } from '../middleware/Layer.js'
import { pictureHeaders, routeSvg } from '../pages/routeSvg.js'
import { cacheControl } from './cacheControl.js'
import { chargeMiss, missPointsOf, pointsOf } from './pointsOf.js'
import type { QuoteRouteOptions } from './quote.js'
import { readQuoteQuery } from './readQuery.js'
import { refuseOverrides } from './refuseOverrides.js'

/** GET /api/quote/route.svg: a picture of the quote's route. */
export function getRoutePicture(options: QuoteRouteOptions): Run {
  const { callers, engine, metrics, now } = options
  return async (c) => {
    const signal = clientSignal(c)
    const { quoteQuery, width } = splitPictureQuery(queryText(c.req.url))
    const request = await readQuoteQuery(options, quoteQuery, signal)
    refuseOverrides(request)
    await chargeMiss(c, missPointsOf(request))
    const answer = await engine.quote(request, { signal, caller: callers.of(c.env?.incoming) })
    metrics?.noteQuote(answer, now())
    c.set('points', pointsOf([answer]))
    const headers = { ...pictureHeaders, 'cache-control': cacheControl(answer, now()) }
    const venues = engine.venues(request.chain.chainId)
    const picture = routeSvg(answer.quote.plan.route, request, { venues, width })
    return respondText(c, picture, { headers })
  }
}
