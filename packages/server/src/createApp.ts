import { ApiError } from '@sluice/api'
import { type Context, Hono } from 'hono'
import type { AppEnv } from './AppEnv.js'
import { preflightHeaders } from './http/headers.js'
import type { Logger } from './logger.js'
import { answerError, handleErrors } from './middleware/handleErrors.js'
import { logRequests } from './middleware/logRequests.js'
import { openToAll } from './middleware/openToAll.js'
import { getHealth, type HealthRouteOptions, service, version } from './routes/health.js'
import { getQuote, type QuoteRouteOptions } from './routes/quote.js'
import { postQuoteBatch } from './routes/quoteBatch.js'

export type AppOptions = QuoteRouteOptions & HealthRouteOptions & { logger: Logger }

/** The whole of HTTP as one `fetch`; needs no port. */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const allowedByPath = new Map<string, string[]>()
  const allow = (method: string, path: string) =>
    allowedByPath.set(path, [...(allowedByPath.get(path) ?? ['OPTIONS']), method])

  app.use(openToAll)
  if (options.logger.isLevelEnabled('info')) app.use(logRequests(options))
  app.onError(handleErrors(options))
  for (const [path, handler] of Object.entries({
    '/': getPointer,
    '/api/quote': getQuote(options),
    '/api/health': getHealth(options),
  })) {
    app.get(path, handler)
    allow('GET', path)
    allow('HEAD', path)
  }
  app.post('/api/quote/batch', postQuoteBatch(options))
  allow('POST', '/api/quote/batch')

  app.options('*', (c) => c.body(null, 204, preflightHeaders))
  app.notFound((c) => {
    const methods = allowedByPath.get(c.req.path)?.join(', ')
    if (methods === undefined)
      return answerError(c, new ApiError('not_found', 'There is nothing at this path.'))
    c.header('allow', methods)
    const text = `This path is served for ${methods}.`
    return answerError(c, new ApiError('method_not_allowed', text))
  })
  return app
}

/** GET /: where to go on. */
function getPointer(c: Context<AppEnv>) {
  return c.json({
    ok: true,
    name: 'Sluice',
    service,
    version,
    endpoints: ['GET /api/quote', 'POST /api/quote/batch', 'GET /api/health'],
  })
}
