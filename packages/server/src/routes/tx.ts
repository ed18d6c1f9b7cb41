import { ApiError } from '@sluice/api'
import { Addresses, Chains, Registry, SentRoute, SwapReceipt } from '@sluice/domain'
import type { Engine, FoundReceipt } from '@sluice/engine'
import { clientSignal } from '../http/clientSignal.js'
import { respondText } from '../http/respond.js'
import type { Run } from '../middleware/Layer.js'
import { type layout, pageHeaders } from '../pages/layout.js'
import { txPage } from '../pages/txPage.js'

export type TxRouteOptions = Pick<layout.Page, 'assets' | 'isServed'> & {
  engine: Pick<Engine, 'receipt' | 'tokens' | 'venues'>
  registry: Registry.Registry
}

const lookUpPoints = 10
/** A transaction with more tokens than this shows the addresses of the others. */
const maxTokens = 16
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
    const tokens = await tokensOf(options.engine.tokens(chain.chainId), {
      receipt,
      routers,
      signal: clientSignal(c),
    })
    const found = { chain, hash: hash as `0x${string}`, receipt, routers, tokens, venues }
    const page = txPage(found, options)
    const headers = { ...pageHeaders, 'cache-control': receipt ? 'public, max-age=60' : 'no-store' }
    return respondText(c, page, { headers })
  }
}

type Asked = {
  readonly receipt: FoundReceipt | null | undefined
  readonly routers: readonly string[]
  readonly signal: AbortSignal
}

/** What is known of the tokens of the swaps; without a node that answers, what is in memory. */
async function tokensOf(
  tokens: ReturnType<Engine['tokens']>,
  { receipt, routers, signal }: Asked,
): Promise<txPage.Found['tokens']> {
  if (receipt?.isSuccess !== true) return new Map()
  const ends = SwapReceipt.swapsIn(receipt.logs, routers).flatMap((swap) => [
    swap.tokenIn,
    swap.tokenOut,
  ])
  const route = receipt.input === undefined ? undefined : SentRoute.of(receipt.input)
  const all = [...ends, ...(route?.legs ?? []).map(({ tokenOut }) => tokenOut)]
  const addresses = [...new Set(all.map((token) => token.toLowerCase()))]
    .slice(0, maxTokens)
    .flatMap((token) => {
      const parsed = Addresses.parse(token)
      return parsed.ok ? [parsed.address] : []
    })
  const facts = await tokens
    .read(addresses, { signal })
    .catch(() => addresses.map((address) => tokens.known(address)))
  return new Map(
    facts.flatMap((each) => (each ? [[each.address.toLowerCase(), each] as const] : [])),
  )
}
