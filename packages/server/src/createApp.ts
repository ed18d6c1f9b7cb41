import { ApiError, type Operation, operationAt, operations } from '@sluice/api'
import { Endpoints } from '@sluice/domain'
import { Hono } from 'hono'
import type { AppEnv } from './AppEnv.js'
import { createRuns, type Run, type RunOptions } from './createRuns.js'
import { openHeaders, preflightHeaders } from './http/headers.js'
import type { Logger } from './logger.js'
import type { NoteRequest } from './logs/noteRequests.js'
import type { LogThrottle } from './logs/throttleLog.js'
import { giveRequestId } from './middleware/giveRequestId.js'
import { answerError, handleErrors } from './middleware/handleErrors.js'
import { limitRate, type RateOptions } from './middleware/limitRate.js'
import { logRequests } from './middleware/logRequests.js'
import { measure } from './middleware/measure.js'
import { shedLoad } from './middleware/shedLoad.js'
import { assetRoutes } from './routes/assets.js'
import { documentRoutes } from './routes/documents.js'
import { errorRoutes } from './routes/errors.js'
import { getHome } from './routes/home.js'
import { refuseQuote, refuseQuoteBatch } from './routes/retiredRelay.js'

/** Dependencies of the app. */
export type AppOptions = Omit<RunOptions, 'isServed'> & {
  logger: Logger
  /** `undefined` if requests are not logged. */
  noteRequest: NoteRequest | undefined
  throttle: LogThrottle
  rateLimit?: RateOptions | undefined
}

/** Creates the HTTP app as one `fetch` function; it needs no port. */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const paths = createPaths(app)
  app.use(giveRequestId)
  if (options.noteRequest !== undefined) app.use(logRequests(options.noteRequest))
  app.onError(handleErrors(options))
  protect(app, options, paths.has)

  const shared = { ...options, isServed: paths.isServed }
  const runs = createRuns({ ...shared, fetch: app.fetch })
  const refusals = { GET: refuseQuote(options), POST: refuseQuoteBatch(options) }
  for (const { id, method, needsRelay, path } of operations)
    paths.serve(method, path, needsRelay && !options.isRelay ? refusals[method] : runs[id])
  // MCP also defines GET and DELETE; its transport refuses them with its own errors.
  app.on(['GET', 'DELETE'], Endpoints.all.postMcp.path, runs.postMcp)

  const pages = {
    '/': getHome(shared),
    ...assetRoutes(options.assets),
    ...errorRoutes(shared),
    ...documentRoutes(options),
  }
  for (const [path, run] of Object.entries(pages)) paths.serve('GET', path, run)

  app.options('*', (c) => {
    const headers = { ...openHeaders, ...preflightHeaders, 'x-request-id': c.get('requestId') }
    return new Response(null, { status: 204, headers })
  })
  app.notFound((c) => {
    const methods = paths.methodsOf(c.req.path)
    if (methods === undefined)
      return answerError(c, new ApiError('not_found', 'There is nothing at this path.'))
    const error = new ApiError('method_not_allowed', `This path supports only ${methods}.`)
    return answerError(c, error, { allow: methods })
  })
  return app
}

/** Registers paths, and knows which methods each of them supports. */
function createPaths(app: Hono<AppEnv>) {
  const methods = new Map<string, string[]>()
  const allow = (method: string, path: string) =>
    methods.set(path, [...(methods.get(path) ?? ['OPTIONS']), method])
  return {
    serve(method: Operation['method'], path: string, run: Run) {
      app.on(method, path, run)
      allow(method, path)
      if (method === 'GET') allow('HEAD', path)
    },
    has: (path: string) => methods.has(path),
    isServed: (method: string, path: string) => methods.get(path)?.includes(method) ?? false,
    methodsOf: (path: string) => methods.get(path)?.join(', '),
  }
}

function protect(app: Hono<AppEnv>, options: AppOptions, isRoute: (path: string) => boolean) {
  const { callers, limiter, metrics, rateLimit } = options
  if (metrics !== undefined) app.use(measure(metrics, isRoute))
  // Charge points first: a request without points must not wait for a slot.
  if (rateLimit !== undefined) app.use(limitRate({ ...rateLimit, callers }))
  const shed = shedLoad({ callers, limiter, onShed: (reason) => metrics?.noteShed(reason) })
  app.use((c, next) => (operationAt(c.req.path)?.isWork ? shed(c, next) : next()))
}
