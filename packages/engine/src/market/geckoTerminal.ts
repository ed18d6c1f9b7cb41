import { z } from 'zod'
import { fetchJson } from './fetchJson.js'
import * as fields from './fields.js'
import { keepRows } from './keepRows.js'
import type { MarketPair, MarketToken } from './MarketPair.js'
import { MarketDataError, type MarketSource } from './MarketSource.js'

export const geckoTerminalUrl = 'https://api.geckoterminal.com/api/v2'

const networks: ReadonlyMap<number, string> = new Map([
  [8_453, 'base'],
  [1, 'eth'],
  [10, 'optimism'],
  [42_161, 'arbitrum'],
])

/** `include` adds the tokens to the response; `include_composition` adds the pools' reported balances. */
const include = 'include=base_token,quote_token,dex&include_composition=true'

const reference = z.object({ data: z.object({ id: z.string().max(100) }) })

const pool = z.object({
  attributes: z.object({
    address: fields.pairId,
    base_token_price_usd: fields.decimal,
    quote_token_price_usd: fields.decimal,
    reserve_in_usd: fields.decimal,
    base_token_balance: fields.decimal,
    quote_token_balance: fields.decimal,
  }),
  relationships: z.object({
    base_token: reference,
    quote_token: reference,
    dex: reference.optional().catch(undefined),
  }),
})

const included = z.object({
  id: z.string().max(100),
  type: z.literal('token'),
  attributes: z.object({ name: fields.text, symbol: fields.text }),
})

const answerShape = z.object({
  data: z.array(z.unknown()),
  included: z.array(z.unknown()).optional().catch(undefined),
})

/** A source that serves GeckoTerminal's API (JSON:API). */
export function geckoTerminal(options: { name: string; url: string }): MarketSource {
  const { name, url } = options
  return {
    name,
    async pairsOf(chainId, token, { signal } = {}) {
      const network = networkOf(chainId)
      const path = `/networks/${network}/tokens/${token}/pools?${include}`
      return keepRows(readRows(await fetchJson(url + path, { signal }), network), { token })
    },
    async search(chainId, symbol, { signal } = {}) {
      const network = networkOf(chainId)
      const path = `/search/pools?query=${encodeURIComponent(symbol)}&network=${network}&${include}`
      return keepRows(readRows(await fetchJson(url + path, { signal }), network), { symbol })
    },
  }
}

function networkOf(chainId: number): string {
  const network = networks.get(chainId)
  if (network === undefined) throw new MarketDataError('unsupported')
  return network
}

function readRows(answer: unknown, network: string): MarketPair[] {
  const shape = answerShape.safeParse(answer)
  if (!shape.success) throw new MarketDataError('bad_response')
  const tokens = new Map<string, z.output<typeof included>['attributes']>()
  for (const each of shape.data.included ?? []) {
    const parsed = included.safeParse(each)
    if (parsed.success) tokens.set(parsed.data.id, parsed.data.attributes)
  }
  const tokenOf = (id: string): MarketToken | undefined => {
    const parsed = fields.address.safeParse(addressIn(id, network))
    if (!parsed.success) return undefined
    const { name, symbol } = tokens.get(id) ?? {}
    return { address: parsed.data, name, symbol }
  }
  return shape.data.data.flatMap((each): MarketPair[] => {
    const parsed = pool.safeParse(each)
    if (!parsed.success) return []
    const { attributes, relationships } = parsed.data
    const base = tokenOf(relationships.base_token.data.id)
    const quote = tokenOf(relationships.quote_token.data.id)
    if (base === undefined || quote === undefined) return []
    return [
      {
        pair: attributes.address,
        dex: relationships.dex?.data.id,
        base,
        quote,
        baseReserve: attributes.base_token_balance,
        quoteReserve: attributes.quote_token_balance,
        basePriceUsd: attributes.base_token_price_usd,
        quotePriceUsd: attributes.quote_token_price_usd,
        liquidityUsd: attributes.reserve_in_usd,
      },
    ]
  })
}

/** Extracts the address from an id such as `eth_0x…`. */
function addressIn(id: string, network: string): string | undefined {
  return id.startsWith(`${network}_`) ? id.slice(network.length + 1) : undefined
}
