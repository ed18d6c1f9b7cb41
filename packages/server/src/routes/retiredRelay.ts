import { ApiError, encodeError, parseBatch } from '@sluice/api'
import type { Handler } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { queryText } from '../http/queryOf.js'
import { readJsonBody } from '../http/readBody.js'
import { respond } from '../http/respond.js'
import { type PrepareOptions, prepareItems, prepareQuery } from './prepare.js'
import { refuseQuery } from './refuseQuery.js'

/** When the relay was retired, for those who switch it off: the first release. */
const retiredAt = Date.UTC(2026, 10, 1) / 1_000

const headers = {
  'cache-control': 'no-store',
  deprecation: `@${retiredAt}`,
  link: '</api/quote/prepare>; rel="successor-version"',
}

/** GET /api/quote where the service quotes on no node: the prepared call in place of the quote. */
export function refuseQuote(options: PrepareOptions): Handler<AppEnv> {
  return (c) => {
    const prepared = prepareQuery(options, queryText(c.req.url))
    const body = { ...encodeError(rpcRequired(), c.get('requestId')), prepared }
    return respond(c, body, { status: 400, headers })
  }
}

/** POST /api/quote/batch where the service quotes on no node. */
export function refuseQuoteBatch(options: PrepareOptions): Handler<AppEnv> {
  return async (c) => {
    refuseQuery(c.req.url)
    const prepared = prepareItems(options, parseBatch(await readJsonBody(c.req.raw)))
    const body = { ...encodeError(rpcRequired(), c.get('requestId')), prepared }
    return respond(c, body, { status: 400, headers })
  }
}

function rpcRequired(): ApiError {
  return new ApiError(
    'rpc_required',
    'This service quotes on no node. Send `prepared` to a node of your own, and its answer to POST /api/quote/decode.',
  )
}
