import { ApiError } from '@sluice/api'
import { Chains, Registry } from '@sluice/domain'
import type { Engine } from '@sluice/engine'
import { respondText } from '../http/respond.js'
import type { Run } from '../middleware/Layer.js'
import { type layout, pageHeaders } from '../pages/layout.js'
import { txPage } from '../pages/txPage.js'

export type TxRouteOptions = Pick<layout.Page, 'assets' | 'isServed'> & {
  engine: Pick<Engine, 'receipt' | 'venues'>
  registry: Registry.Registry
}

const lookUpPoints = 10
export const txPath = '/tx/:chain/:hash'

/** GET /tx/<chain>/<hash>: what a swap delivered, for whoever got the link. */
export function getTx(options: TxRouteOptions): Run {
  return async (c) => {
    const [, , name = '', hash = ''] = c.req.path.split('/')
    const chain = options.registry.get(Chains.idOf(name) ?? 0)
    if (chain === undefined || !/^0x[0-9a-fA-F]{64}$/.test(hash))
      throw new ApiError(
        'not_found',
        'A path of a transaction is /tx/, a chain, and a hash of 64 hexadecimal digits.',
      )
    // A look-up asks nodes, so it costs as much as a quote.
    await c.get('charge')?.(lookUpPoints)
    const receipt = await options.engine.receipt(chain.chainId, hash as `0x${string}`)
    const routers = Registry.versionsOf(chain).flatMap(
      (version) => Registry.inVersion(chain, version)?.contracts.router ?? [],
    )
    const venues = options.engine.venues(chain.chainId)
    const found = { chain, hash: hash as `0x${string}`, receipt, routers, venues }
    const page = txPage(found, options)
    const headers = { ...pageHeaders, 'cache-control': receipt ? 'public, max-age=60' : 'no-store' }
    return respondText(c, page, { headers })
  }
}
