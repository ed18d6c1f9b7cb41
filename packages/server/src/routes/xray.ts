import { parseXray, unresolvedToken } from '@sluice/api'
import { type Registry, Tokens } from '@sluice/domain'
import type { Engine, XrayAnswer } from '@sluice/engine'
import { xrayKeptMs } from '@sluice/engine'
import { clientSignal } from '../http/clientSignal.js'
import { respond } from '../http/respond.js'
import type { Run } from '../middleware/Layer.js'
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
  const { engine, now, publicRpcUrls, registry } = options
  return async (c) => {
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
    return respond(c, body, { headers: { 'cache-control': cacheControl(answer, now()) } })
  }
}

/** Lets caches keep a report as long as it is cached here. */
function cacheControl({ isStale, xray }: XrayAnswer, now: number): string {
  if (isStale) return 'no-store'
  const seconds = Math.ceil((xrayKeptMs - (now - xray.readAt)) / 1_000)
  return `public, max-age=${Math.max(0, Math.min(seconds, xrayKeptMs / 1_000))}`
}
