import {
  ApiError,
  encodeError,
  type PrepareBatchResponse,
  type PrepareResponse,
  parseBatch,
} from '@sluice/api'
import type { Context } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { queryText } from '../http/queryOf.js'
import { readJsonBody } from '../http/readBody.js'
import { respond } from '../http/respond.js'
import type { Run } from '../middleware/Layer.js'
import { type PrepareOptions, prepareItems, prepareQuery } from './prepare.js'
import { refuseQuery } from './refuseQuery.js'

/** When the relay was deprecated, in unix seconds, for services that switch it off: the first release. */
const retiredAt = Date.UTC(2026, 10, 1) / 1_000

const headers = {
  'cache-control': 'no-store',
  deprecation: `@${retiredAt}`,
  link: '</api/quote/prepare>; rel="successor-version", </errors/rpc_required>; rel="deprecation"; type="text/html"',
}

/** GET /api/quote if the service asks no node: returns the prepared call instead of the quote. */
export function refuseQuote(options: PrepareOptions): Run {
  return (c) => {
    const prepared = prepareQuery(options, queryText(c.req.url))
    return refuse(c, prepared)
  }
}

/** POST /api/quote/batch if the service asks no node. */
export function refuseQuoteBatch(options: PrepareOptions): Run {
  return async (c) => {
    refuseQuery(c.req.url)
    const prepared = prepareItems(options, parseBatch(await readJsonBody(c.req.raw)), 'shared')
    return refuse(c, prepared)
  }
}

function refuse(c: Context<AppEnv>, prepared: PrepareResponse | PrepareBatchResponse) {
  const error = new ApiError(
    'rpc_required',
    'This service asks no node for quotes. Send `prepared` to your own node, and the result to POST /api/quote/decode.',
  )
  c.set('refusal', error.code)
  const body = { ...encodeError(error, c.get('requestId')), prepared }
  return respond(c, body, { status: error.status, headers })
}
