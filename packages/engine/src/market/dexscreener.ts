import { z } from 'zod'
import { fetchJson } from './fetchJson.js'
import * as fields from './fields.js'
import { keepRows } from './keepRows.js'
import type { MarketPair } from './MarketPair.js'
import { MarketDataError, type MarketSource } from './MarketSource.js'

export const dexscreenerUrl = 'https://api.dexscreener.com'

/** Chain names in paths and rows. */
const slugs: ReadonlyMap<number, string> = new Map([
  [8_453, 'base'],
  [1, 'ethereum'],
  [10, 'optimism'],
  [42_161, 'arbitrum'],
])

const token = z.object({ address: fields.address, name: fields.text, symbol: fields.text })

/** The fields of a row that we use. In Dexscreener's OpenAPI document every field is optional. */
const row = z.object({
  chainId: z.string(),
  dexId: fields.text,
  pairAddress: fields.pairId,
  baseToken: token,
  quoteToken: token,
  priceNative: fields.decimal,
  priceUsd: fields.decimal,
  liquidity: z
    .object({ usd: fields.number, base: fields.number, quote: fields.number })
    .optional()
    .catch(undefined),
})

/** A source that serves Dexscreener's API. */
export function dexscreener(options: { name: string; url: string }): MarketSource {
  const { name, url } = options
  return {
    name,
    async pairsOf(chainId, asked, { signal } = {}) {
      const slug = slugOf(chainId)
      const answer = await fetchJson(`${url}/token-pairs/v1/${slug}/${asked}`, { signal })
      return keepRows(readRows(answer, slug), { token: asked })
    },
    async search(chainId, symbol, { signal } = {}) {
      const slug = slugOf(chainId)
      const query = encodeURIComponent(symbol)
      const answer = await fetchJson(`${url}/latest/dex/search?q=${query}`, { signal })
      const pairs = z.object({ pairs: z.array(z.unknown()).nullable() }).safeParse(answer)
      if (!pairs.success) throw new MarketDataError('bad_response')
      return keepRows(readRows(pairs.data.pairs ?? [], slug), { symbol })
    },
  }
}

function slugOf(chainId: number): string {
  const slug = slugs.get(chainId)
  if (slug === undefined) throw new MarketDataError('unsupported')
  return slug
}

/** Skips malformed rows. Rejects a response that is not a list. */
function readRows(answer: unknown, slug: string): MarketPair[] {
  if (!Array.isArray(answer)) throw new MarketDataError('bad_response')
  return answer.flatMap((each): MarketPair[] => {
    const parsed = row.safeParse(each)
    return parsed.success && parsed.data.chainId === slug ? [toPair(parsed.data)] : []
  })
}

function toPair(given: z.output<typeof row>): MarketPair {
  const { liquidity, priceNative, priceUsd } = given
  return {
    pair: given.pairAddress,
    dex: given.dexId,
    base: given.baseToken,
    quote: given.quoteToken,
    baseReserve: liquidity?.base,
    quoteReserve: liquidity?.quote,
    basePriceUsd: priceUsd,
    // USD price of the base token, divided by its price in the quote token, is the quote token's USD price.
    quotePriceUsd: priceUsd !== undefined && priceNative ? priceUsd / priceNative : undefined,
    liquidityUsd: liquidity?.usd,
  }
}
