import type { Endpoints } from '@sluice/domain'
import type { Run } from './middleware/Layer.js'
import type { layout } from './pages/layout.js'
import { type DecodeRouteOptions, postDecode } from './routes/decode.js'
import { type DocumentRouteOptions, documentRuns } from './routes/documents.js'
import { getHealth, type HealthRouteOptions } from './routes/health.js'
import { serveMcp } from './routes/mcp.js'
import { getPrepare, type PrepareOptions, postPrepare } from './routes/prepare.js'
import { getQuote, type QuoteRouteOptions } from './routes/quote.js'
import { postQuoteBatch } from './routes/quoteBatch.js'
import { getQuoteStream, type StreamOptions } from './routes/quoteStream.js'
import { getRoutePicture } from './routes/routePicture.js'
import { postSigned, type SignedRouteOptions } from './routes/signed.js'
import {
  getBadge,
  getSolvency,
  getSolvencyPage,
  type SolvencyRouteOptions,
} from './routes/solvency.js'
import { getSources, type SourcesRouteOptions } from './routes/sources.js'
import { getStats, type StatsRouteOptions } from './routes/stats.js'
import { getPrice, getTokens, type TokensRouteOptions } from './routes/tokens.js'
import { getXray, type XrayRouteOptions } from './routes/xray.js'

export type RunOptions = QuoteRouteOptions &
  HealthRouteOptions &
  PrepareOptions &
  DecodeRouteOptions &
  DocumentRouteOptions &
  SignedRouteOptions &
  SolvencyRouteOptions &
  SourcesRouteOptions &
  StatsRouteOptions &
  StreamOptions &
  TokensRouteOptions &
  XrayRouteOptions &
  Pick<layout.Page, 'assets' | 'isServed'>

/**
 * Creates the handler of every operation, by its id.
 *
 * @param options.fetch Calls the service itself, for MCP tools.
 */
export function createRuns(
  options: RunOptions & Pick<serveMcp.Options, 'fetch'>,
): Readonly<Record<Endpoints.Id, Run>> {
  return {
    getQuote: getQuote(options),
    getQuoteStream: getQuoteStream(options),
    getRoutePicture: getRoutePicture(options),
    postQuoteBatch: postQuoteBatch(options),
    getPrepare: getPrepare(options),
    postPrepare: postPrepare(options),
    postSigned: postSigned(options),
    postDecode: postDecode(options),
    getHealth: getHealth(options),
    getSources: getSources(options),
    getTokens: getTokens(options),
    getPrice: getPrice(options),
    getStats: getStats(options),
    getBadge: getBadge(options),
    getSolvency: getSolvency(options),
    getSolvencyPage: getSolvencyPage(options),
    getXray: getXray(options),
    postMcp: serveMcp(options),
    ...documentRuns(options),
  }
}
