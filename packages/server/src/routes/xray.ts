import { ApiError, codes, parseXray, unresolvedToken } from '@sluice/api'
import { type Registry, Tokens } from '@sluice/domain'
import type { Engine, XrayAnswer } from '@sluice/engine'
import { xrayKeptMs } from '@sluice/engine'
import type { Context } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { clientSignal } from '../http/clientSignal.js'
import { respond, respondText } from '../http/respond.js'
import type { Run } from '../middleware/Layer.js'
import { type layout, scriptedPageHeaders } from '../pages/layout.js'
import { xrayPage } from '../pages/xray.js'
import { encodeXray } from './encodeXray.js'
import { hitPoints } from './pointsOf.js'
import { refuseQuery } from './refuseQuery.js'

export type XrayRouteOptions = {
  engine: Pick<Engine, 'lookUp' | 'xray'>
  registry: Registry.Registry
  now: () => number
  /** URLs of nodes that may be published. */
  publicRpcUrls: ReadonlyMap<number, readonly string[]>
}

/** GET /api/xray: compares a token's reported reserves with what the pools hold. */
export function getXray(options: XrayRouteOptions): Run {
  return async (c) => {
    const { answer, body } = await readXray(c, options)
    return respond(c, body, { headers: { 'cache-control': cacheControl(answer, options.now()) } })
  }
}

/** A report takes calls of a node, like a quote. */
const reportPoints = 10

/** GET /xray: the same for people, as bars, with a form that asks for a token. */
export function getXrayPage(
  options: XrayRouteOptions & Pick<layout.Page, 'assets' | 'isServed'>,
): Run {
  const headers = { ...scriptedPageHeaders, 'cache-control': 'no-store' }
  return async (c) => {
    const query = new URL(c.req.url).searchParams
    const asked = { chain: query.get('chain') ?? '', token: query.get('token') ?? '' }
    if (asked.token === '') return respondText(c, xrayPage({ asked }, options), { headers })
    await c.get('charge')?.(reportPoints)
    try {
      const { body } = await readXray(c, options)
      return respondText(c, xrayPage({ asked, report: body }, options), { headers })
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem
      const { status } = codes[problem.code]
      return respondText(c, xrayPage({ asked, problem }, options), { headers, status })
    }
  }
}

async function readXray(
  c: Context<AppEnv>,
  { engine, publicRpcUrls, registry }: Omit<XrayRouteOptions, 'now'>,
) {
  const query = refuseQuery(c.req.url, ['chain', 'token'])
  const { chain, token } = parseXray(registry, query)
  const signal = clientSignal(c)
  const found =
    token.kind === 'traded'
      ? await engine.lookUp(chain.chainId, token.symbol, { purpose: 'report', signal })
      : Tokens.resolve(chain, token)
  if (!found.ok) throw unresolvedToken(found)
  const answer = await engine.xray(chain.chainId, found.token.address, { signal })
  if (answer.isKept) c.set('points', hitPoints)
  const body = encodeXray(answer, found.token, publicRpcUrls.get(chain.chainId)?.[0])
  return { answer, body }
}

/** Lets caches keep a report as long as it is cached here. */
function cacheControl({ isStale, xray }: XrayAnswer, now: number): string {
  if (isStale) return 'no-store'
  const seconds = Math.ceil((xrayKeptMs - (now - xray.readAt)) / 1_000)
  return `public, max-age=${Math.max(0, Math.min(seconds, xrayKeptMs / 1_000))}`
}
