import { type Address, concatHex, type Hex, pad, toFunctionSelector, toHex } from 'viem'
import type * as VenueKind from '../registry/VenueKind.js'
import type { Venues } from '../registry/Venues.js'
import * as Addresses from '../values/Addresses.js'
import type { Market } from './Market.js'

/** A read of a factory: the pool of a pair and, if pools have keys, of a key. */
export type FactoryRead = {
  readonly venue: number
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly to: Address
  readonly data: Hex
}

/** A pool that exists, but that the search left out: it is empty, or next to nothing beside others. */
export type LeftOut = Omit<FactoryRead, 'to' | 'data'> & { readonly pool: Address }

const getters: { readonly [kind in VenueKind.Name]?: { selector: Hex; hasKey: boolean } } = {
  uniswapV2: { selector: toFunctionSelector('getPair(address,address)'), hasKey: false },
  uniswapV3: { selector: toFunctionSelector('getPool(address,address,uint24)'), hasKey: true },
  slipstream: { selector: toFunctionSelector('getPool(address,address,int24)'), hasKey: true },
  algebra: { selector: toFunctionSelector('poolByPair(address,address)'), hasKey: false },
  solidly: { selector: toFunctionSelector('getPool(address,address,bool)'), hasKey: true },
}

/** Names of the enabled venues whose factories cannot be asked for a pool. */
export function silentVenues(venues: Venues): readonly string[] {
  return [...venues.values()].flatMap(({ isEnabled, kind, listedPools, name }) =>
    isEnabled && listedPools === undefined && getters[kind] === undefined ? [name] : [],
  )
}

/** Reads of all pools that the tokens of a trade can have: with each other first, then with the tokens between them. */
export function of({ tokens }: Pick<Market, 'tokens'>, venues: Venues): readonly FactoryRead[] {
  const [tokenIn, tokenOut] = [tokens.at(-2)!, tokens.at(-1)!]
  const middle = tokens.slice(0, -2).filter((token) => token !== tokenIn && token !== tokenOut)
  const pairs = [
    [tokenIn, tokenOut] as const,
    ...middle.flatMap((token) => [[tokenIn, token] as const, [token, tokenOut] as const]),
  ]
  return pairs.flatMap(([from, to]) =>
    [...venues.values()].flatMap((venue): FactoryRead[] => {
      const getter = getters[venue.kind]
      if (!venue.isEnabled || getter === undefined) return []
      const trade = [getter.selector, pad(from), pad(to)]
      const keys = getter.hasKey ? venue.keys.map((key) => toHex(key, { size: 32 })) : ['0x' as Hex]
      const place = { venue: venue.number, tokenIn: from, tokenOut: to, to: venue.factory }
      return keys.map((key) => ({ ...place, data: concatHex([...trade, key]) }))
    }),
  )
}

/** The pools that factories name and the search did not keep. @param words Answers in the order of the reads. */
export function leftOut(
  { pools }: Pick<Market, 'pools'>,
  reads: readonly FactoryRead[],
  words: readonly (bigint | undefined)[],
): readonly LeftOut[] {
  const kept = new Set(pools.map(({ address }) => address.toLowerCase()))
  return reads.flatMap(({ to: _, data: __, ...place }, index): LeftOut[] => {
    const word = words[index]
    if (!word || word >= 1n << 160n) return []
    const parsed = Addresses.parse(toHex(word, { size: 20 }))
    const isNew = parsed.ok && !kept.has(parsed.address.toLowerCase())
    return isNew ? [{ ...place, pool: parsed.address }] : []
  })
}
