import { ApiError, type Operation, operationAt, operations } from '@sluice/api'
import { Endpoints } from '@sluice/domain'
import { Hono } from 'hono'
import type { AppEnv } from './AppEnv.js'
import { createRuns, type RunOptions } from './createRuns.js'
import { openHeaders, preflightHeaders } from './http/headers.js'
import { respondText } from './http/respond.js'
import type { Logger } from './logger.js'
import type { NoteRequest } from './logs/noteRequests.js'
import type { LogThrottle } from './logs/throttleLog.js'
import { giveRequestId } from './middleware/giveRequestId.js'
import { answerError, handleErrors } from './middleware/handleErrors.js'
import { catching, type Run, withLayers } from './middleware/Layer.js'
import { limitRate, type RateOptions } from './middleware/limitRate.js'
import { logRequests } from './middleware/logRequests.js'
import { measure } from './middleware/measure.js'
import { shedLoad } from './middleware/shedLoad.js'
import { pageHeaders } from './pages/layout.js'
import { notFoundPage } from './pages/notFound.js'
import { pageDataPath } from './pages/pageData.js'
import { assetRoutes, logoRoutes } from './routes/assets.js'
import { documentRoutes } from './routes/documents.js'
import { errorRoutes } from './routes/errors.js'
import { getHome, getPageData, type HomeRouteOptions } from './routes/home.js'
import { pageRoutes } from './routes/pages.js'
import { refuseQuote, refuseQuoteBatch } from './routes/retiredRelay.js'
import { getTx, txPath } from './routes/tx.js'
import { getXrayPage } from './routes/xray.js'

/** What the app needs to answer requests. */
export type AppOptions = Omit<RunOptions, 'isServed'> &
  Pick<HomeRouteOptions, 'tokenLists'> & {
    logger: Logger
    /** `undefined` if no lines of requests are kept. */
    noteRequest: NoteRequest | undefined
    throttle: LogThrottle
    rateLimit?: RateOptions | undefined
  }

/** Creates the HTTP app as one `fetch` function; it needs no port. */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const wrap = createWrap(options, (path) => paths.has(path))
  const paths = createPaths(app, wrap)

  const shared = { ...options, isServed: paths.isServed }
  const runs = createRuns({ ...shared, fetch: app.fetch })
  const refusals = { GET: refuseQuote(options), POST: refuseQuoteBatch(options) }
  for (const { id, method, needsRelay, path } of operations)
    paths.serve(method, path, needsRelay && !options.isRelay ? refusals[method] : runs[id])
  // MCP also defines GET and DELETE; its transport refuses them with its own errors.
  const { path: mcpPath } = Endpoints.all.postMcp
  app.on(['GET', 'DELETE'], mcpPath, wrap(runs.postMcp, mcpPath))

  const pages = {
    '/': getHome(shared),
    [pageDataPath]: getPageData(shared),
    ...assetRoutes(options.assets),
    ...logoRoutes(options.tokenLists),
    ...errorRoutes(shared),
    ...pageRoutes(shared),
    [txPath]: getTx(shared),
    '/xray': getXrayPage(shared),
    ...documentRoutes(options),
  }
  for (const [path, run] of Object.entries(pages)) paths.serve('GET', path, run)

  const answerOptions: Run = (c) => {
    const headers = { ...openHeaders, ...preflightHeaders, 'x-request-id': c.get('requestId') }
    return new Response(null, { status: 204, headers })
  }
  app.options('*', wrap(answerOptions))
  const refuse: Run = (c) => {
    const methods = paths.methodsOf(c.req.path)
    const isForPeople = (c.req.header('accept') ?? '').includes('text/html')
    if (methods === undefined && isForPeople) {
      c.set('refusal', 'not_found')
      return respondText(c, notFoundPage(shared), { status: 404, headers: pageHeaders })
    }
    if (methods === undefined)
      return answerError(c, new ApiError('not_found', 'There is nothing at this path.'))
    const error = new ApiError('method_not_allowed', `This path supports only ${methods}.`)
    return answerError(c, error, { allow: methods })
  }
  app.notFound(wrap(refuse))
  return app
}

/** Registers paths, and knows which methods each of them supports. */
function createPaths(app: Hono<AppEnv>, wrap: (run: Run, path: string) => Run) {
  const methods = new Map<string, string[]>()
  const allow = (method: string, path: string) =>
    methods.set(path, [...(methods.get(path) ?? ['OPTIONS']), method])
  return {
    serve(method: Operation['method'], path: string, run: Run) {
      app.on(method, path, wrap(run, path))
      allow(method, path)
      if (method === 'GET') allow('HEAD', path)
    },
    has: (path: string) => methods.has(path),
    isServed: (method: string, path: string) => methods.get(path)?.includes(method) ?? false,
    methodsOf: (path: string) => methods.get(path)?.join(', '),
  }
}

/** Puts what every request passes around a run. */
function createWrap(options: AppOptions, isRoute: (path: string) => boolean) {
  const { callers, limiter, metrics, noteRequest, rateLimit } = options
  const answer = handleErrors(options)
  const reports = [
    giveRequestId,
    ...(noteRequest === undefined ? [] : [logRequests(noteRequest)]),
    ...(metrics === undefined ? [] : [measure(metrics, isRoute)]),
  ]
  const charge = rateLimit === undefined ? undefined : limitRate({ ...rateLimit, callers })
  const shed = shedLoad({ callers, limiter, onShed: (reason) => metrics?.noteShed(reason) })
  return (run: Run, path?: string): Run => {
    const isWork = path !== undefined && operationAt(path)?.isWork === true
    const worked = catching(isWork ? withLayers([shed], run) : run, answer)
    // Charge points first: a request without points must not wait for a slot.
    const charged = charge === undefined ? worked : catching(withLayers([charge], worked), answer)
    return withLayers(reports, charged)
  }
}
