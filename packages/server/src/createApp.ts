import { ApiError } from '@sluice/api'
import { Hono } from 'hono'
import type { AppEnv } from './AppEnv.js'
import type { Callers } from './http/callers.js'
import { openHeaders, preflightHeaders } from './http/headers.js'
import type { Limiter } from './limits/Limiter.js'
import type { Logger } from './logger.js'
import type { NoteRequest } from './logs/noteRequests.js'
import type { LogThrottle } from './logs/throttleLog.js'
import type { Metrics } from './metrics/createMetrics.js'
import { giveRequestId } from './middleware/giveRequestId.js'
import { answerError, handleErrors } from './middleware/handleErrors.js'
import { limitRate, type RateOptions } from './middleware/limitRate.js'
import { logRequests } from './middleware/logRequests.js'
import { measure } from './middleware/measure.js'
import { isWork, shedLoad } from './middleware/shedLoad.js'
import type { Assets } from './pages/Assets.js'
import { assetRoutes } from './routes/assets.js'
import { type DecodeRouteOptions, postDecode } from './routes/decode.js'
import { type DocumentRouteOptions, documentRoutes } from './routes/documents.js'
import { errorRoutes } from './routes/errors.js'
import { getHealth, type HealthRouteOptions } from './routes/health.js'
import { getHome } from './routes/home.js'
import { serveMcp } from './routes/mcp.js'
import { getPrepare, type PrepareOptions, postPrepare } from './routes/prepare.js'
import { getQuote, type QuoteRouteOptions } from './routes/quote.js'
import { postQuoteBatch } from './routes/quoteBatch.js'
import { getQuoteStream, type StreamOptions } from './routes/quoteStream.js'
import { refuseQuote, refuseQuoteBatch } from './routes/retiredRelay.js'
import { getRoutePicture } from './routes/routePicture.js'
import { postSigned } from './routes/signed.js'
import {
  getBadge,
  getSolvency,
  getSolvencyPage,
  type SolvencyRouteOptions,
} from './routes/solvency.js'
import { getStats, type StatsRouteOptions } from './routes/stats.js'
import { getXray, type XrayRouteOptions } from './routes/xray.js'

export type AppOptions = QuoteRouteOptions &
  HealthRouteOptions &
  PrepareOptions &
  DecodeRouteOptions &
  DocumentRouteOptions &
  SolvencyRouteOptions &
  StatsRouteOptions &
  StreamOptions &
  XrayRouteOptions & {
    assets: Assets
    logger: Logger
    /** False: the service quotes on no node, and gives the prepared call instead. */
    isRelay: boolean
    callers: Callers
    limiter: Limiter
    metrics?: Metrics | undefined
    /** `undefined` if no lines of requests are kept. */
    noteRequest: NoteRequest | undefined
    throttle: LogThrottle
    rateLimit?: RateOptions | undefined
  }

/** The whole of HTTP as one `fetch`; needs no port. */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const allowedByPath = new Map<string, string[]>()
  const allow = (method: string, path: string) =>
    allowedByPath.set(path, [...(allowedByPath.get(path) ?? ['OPTIONS']), method])
  const isServed = (method: string, path: string) =>
    allowedByPath.get(path)?.includes(method) ?? false

  app.use(giveRequestId)
  if (options.noteRequest !== undefined) app.use(logRequests(options.noteRequest))
  app.onError(handleErrors(options))
  protect(app, options, (path) => allowedByPath.has(path))
  for (const [path, handler] of Object.entries({
    '/': getHome({ ...options, isServed }),
    '/api/quote': options.isRelay ? getQuote(options) : refuseQuote(options),
    '/api/quote/route.svg': options.isRelay ? getRoutePicture(options) : refuseQuote(options),
    '/api/quote/stream': options.isRelay ? getQuoteStream(options) : refuseQuote(options),
    '/api/quote/prepare': getPrepare(options),
    '/api/health': getHealth(options),
    '/api/xray': getXray(options),
    '/api/stats': getStats(options),
    '/api/badge': getBadge(options),
    '/api/solvency': getSolvency(options),
    '/solvency': getSolvencyPage({ ...options, isServed }),
    ...assetRoutes(options.assets),
    ...errorRoutes({ ...options, isServed }),
    ...documentRoutes(options, isServed),
  })) {
    app.get(path, handler)
    allow('GET', path)
    allow('HEAD', path)
  }
  for (const [path, handler] of Object.entries({
    '/api/quote/batch': options.isRelay ? postQuoteBatch(options) : refuseQuoteBatch(options),
    '/api/quote/prepare': postPrepare(options),
    '/api/quote/decode': postDecode(options),
    '/api/quote/signed': postSigned(options),
  })) {
    app.post(path, handler)
    allow('POST', path)
  }

  app.on(['GET', 'POST', 'DELETE'], '/mcp', serveMcp(app, options))
  allow('POST', '/mcp')

  app.options('*', (c) => {
    const headers = { ...openHeaders, ...preflightHeaders, 'x-request-id': c.get('requestId') }
    return new Response(null, { status: 204, headers })
  })
  app.notFound((c) => {
    const methods = allowedByPath.get(c.req.path)?.join(', ')
    if (methods === undefined)
      return answerError(c, new ApiError('not_found', 'There is nothing at this path.'))
    const error = new ApiError('method_not_allowed', `This path is served for ${methods}.`)
    return answerError(c, error, { allow: methods })
  })
  return app
}

function protect(app: Hono<AppEnv>, options: AppOptions, isRoute: (path: string) => boolean) {
  const { callers, limiter, metrics, rateLimit } = options
  if (metrics !== undefined) app.use(measure(metrics, isRoute))
  // Points first: what its caller may not ask for must wait for no slot.
  if (rateLimit !== undefined) app.use(limitRate({ ...rateLimit, callers }))
  const shed = shedLoad({ callers, limiter, onShed: (reason) => metrics?.noteShed(reason) })
  app.use((c, next) => (isWork(c.req.path) ? shed(c, next) : next()))
}
