import { encodeBadge, encodeSolvency, type SolvencyResponse } from '@sluice/api'
import { type Deployments, Solvency } from '@sluice/domain'
import type { Engine } from '@sluice/engine'
import { respond, respondText } from '../http/respond.js'
import type { Run } from '../middleware/Layer.js'
import type { layout } from '../pages/layout.js'
import { scriptedPageHeaders } from '../pages/layout.js'
import { solvencyPage } from '../pages/solvency.js'
import { refuseQuery } from './refuseQuery.js'

export type SolvencyRouteOptions = {
  engine: Pick<Engine, 'solvency'>
  deployments: Deployments.Deployments
  now: () => number
  /** URLs of nodes that may be published. */
  publicRpcUrls: ReadonlyMap<number, readonly string[]>
}

/** Readings are shared for five seconds here, so caches may do the same. */
const briefly = 'public, max-age=0, s-maxage=5'
/** Badges are embedded elsewhere. For a few minutes an old badge is better than a broken picture. */
const forBadges = 'public, max-age=60, stale-if-error=600'

async function report(options: SolvencyRouteOptions): Promise<SolvencyResponse> {
  const { deployments, engine, now, publicRpcUrls } = options
  const entries = await Promise.all(
    Solvency.targetsOf(deployments).map(async (target): Promise<Solvency.Entry> => {
      return { target, ...(await engine.solvency(target)) }
    }),
  )
  return encodeSolvency(entries, { now: now(), rpcUrls: publicRpcUrls })
}

/** GET /api/badge. Always 200, because badge services draw other statuses as their own errors. */
export function getBadge(options: SolvencyRouteOptions): Run {
  return async (c) => {
    refuseQuery(c.req.url)
    const { status } = await report(options)
    return respond(c, encodeBadge(status), { headers: { 'cache-control': forBadges } })
  }
}

/** GET /api/solvency */
export function getSolvency(options: SolvencyRouteOptions): Run {
  return async (c) => {
    refuseQuery(c.req.url)
    return respond(c, await report(options), { headers: { 'cache-control': briefly } })
  }
}

/** GET /solvency: the same as a page. Ignores query parameters, because links from other sites add their own. */
export function getSolvencyPage(
  options: SolvencyRouteOptions & Pick<layout.Page, 'assets' | 'isServed'>,
): Run {
  return async (c) => {
    const page = solvencyPage(await report(options), { ...options, rpcUrls: options.publicRpcUrls })
    const headers = { ...scriptedPageHeaders, 'cache-control': briefly }
    return respondText(c, page, { headers })
  }
}
