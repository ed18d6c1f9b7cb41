import { ApiError } from '@sluice/api'
import { Hono } from 'hono'
import type { AppEnv } from './AppEnv.js'
import { openHeaders, preflightHeaders } from './http/headers.js'
import type { StreamLimits } from './limits/streamLimits.js'
import type { Logger } from './logger.js'
import type { Metrics } from './metrics.js'
import { giveRequestId } from './middleware/giveRequestId.js'
import { answerError, handleErrors } from './middleware/handleErrors.js'
import { limitRate, type RateOptions } from './middleware/limitRate.js'
import { logRequests } from './middleware/logRequests.js'
import { measure } from './middleware/measure.js'
import { shedLoad } from './middleware/shedLoad.js'
import type { Assets } from './pages/Assets.js'
import { assetRoutes } from './routes/assets.js'
import { type DecodeRouteOptions, postDecode } from './routes/decode.js'
import { type DocumentRouteOptions, documentRoutes } from './routes/documents.js'
import { errorRoutes } from './routes/errors.js'
import { getHealth, type HealthRouteOptions } from './routes/health.js'
import { getHome } from './routes/home.js'
import { serveMcp } from './routes/mcp.js'
import { getPrepare, type PrepareRouteOptions, postPrepare } from './routes/prepare.js'
import { getQuote, type QuoteRouteOptions } from './routes/quote.js'
import { postQuoteBatch } from './routes/quoteBatch.js'
import { getQuoteStream } from './routes/quoteStream.js'
import { refuseQuote, refuseQuoteBatch } from './routes/retiredRelay.js'
import { getRoutePicture } from './routes/routePicture.js'
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
  PrepareRouteOptions &
  DecodeRouteOptions &
  DocumentRouteOptions &
  SolvencyRouteOptions &
  StatsRouteOptions &
  XrayRouteOptions & {
    assets: Assets
    logger: Logger
    /** False: the service quotes on no node, and gives the prepared call instead. */
    isRelay: boolean
    metrics?: Metrics | undefined
    rateLimit?: RateOptions | undefined
    isLate?: (() => boolean) | undefined
    streamLimits: StreamLimits
    /** Aborts when the service stops. */
    stopping: AbortSignal
  }

/** Paths whose answers are work; the others are answered whatever happens. */
const work = ['/api/quote/*', '/api/stats', '/api/xray', '/api/solvency', '/solvency', '/mcp']

/** The whole of HTTP as one `fetch`; needs no port. */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const allowedByPath = new Map<string, string[]>()
  const allow = (method: string, path: string) =>
    allowedByPath.set(path, [...(allowedByPath.get(path) ?? ['OPTIONS']), method])
  const isServed = (method: string, path: string) =>
    allowedByPath.get(path)?.includes(method) ?? false

  app.use(giveRequestId)
  if (options.logger.isLevelEnabled('info')) app.use(logRequests(options))
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
  const { isLate, metrics, rateLimit } = options
  if (metrics !== undefined) app.use(measure(metrics, isRoute))
  if (isLate !== undefined) {
    const shed = shedLoad({ isLate, onShed: (reason) => metrics?.noteShed(reason) })
    for (const path of work) app.use(path, shed)
  }
  if (rateLimit !== undefined)
    for (const path of ['/api/*', '/mcp']) app.use(path, limitRate(rateLimit))
}
