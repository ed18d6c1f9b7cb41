import { hubAbi } from '@sluice/abi'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, hexToBytes } from 'viem'
import type { Leg } from '../plan/Plan.js'
import * as PoolHints from '../request/PoolHints.js'
import * as Texts from '../values/Texts.js'
import * as VenueKind from './VenueKind.js'

/** A venue of a chain's Hub. */
export type Venue = {
  /** Number of the venue in legs. */
  readonly number: number
  /** Short name in the Hub's configuration, such as `uniswap-v3`. */
  readonly name: string
  readonly kind: VenueKind.Name
  /** Contract that announces new pools; the Vault or PoolManager if one contract holds all pools. */
  readonly factory: Address
  /** False if the owner has removed the venue: routes and swaps do not use it then. */
  readonly isEnabled: boolean
  /** Fee of every pool in pips (3000 is 0.3 %); `null` if pools differ. */
  readonly feePips: number | null
  /** Fee in pips by leg key, for keys whose fee is fixed. */
  readonly feeOfKey: ReadonlyMap<bigint, number>
  /** Keys that the venue's pools can have. */
  readonly keys: readonly bigint[]
  /** Pools that the Hub lists; `undefined` for kinds whose pools are derived. */
  readonly listedPools: number | undefined
}

/** The venues of one chain by number. */
export type Venues = ReadonlyMap<number, Venue>

/** Calldata of the Hub's `venues()`, `pools()` and `connectorTokens()`. */
export const calls = (['venues', 'pools', 'connectorTokens'] as const).map((functionName) =>
  encodeFunctionData({ abi: hubAbi, functionName }),
)

/**
 * Decodes the first two results of `calls`. Leaves out venues of an unknown kind.
 *
 * @returns `undefined` if a result is malformed.
 */
export function decode([venues, pools]: readonly (Hex | undefined)[]): Venues | undefined {
  if (venues === undefined || pools === undefined) return undefined
  try {
    const configs = decodeFunctionResult({ abi: hubAbi, functionName: 'venues', data: venues })
    const listed = decodeFunctionResult({ abi: hubAbi, functionName: 'pools', data: pools })
    const found = configs.flatMap(({ factory, id, tiers, venue }, index): [number, Venue][] => {
      const kind = VenueKind.names.find((name) => VenueKind.numberOf(name) === venue.kind)
      if (kind === undefined) return []
      const number = index + 1
      const feeOfKey = new Map(
        tiers.filter(({ feePips }) => feePips > 0).map(({ feePips, key }) => [key, feePips]),
      )
      const keys = tiers.map(({ key }) => key)
      const feePips = venue.feePips > 0 ? venue.feePips : null
      const listedPools = VenueKind.has(kind, 'listed')
        ? listed.filter((each) => each.venue === number && BigInt(each.pool) !== 0n).length
        : undefined
      const isEnabled = venue.enabled
      const name = nameOf(id)
      const fees = { feePips, feeOfKey, keys }
      return [[number, { number, name, kind, factory, isEnabled, ...fees, listedPools }]]
    })
    return new Map(found)
  } catch {
    return undefined
  }
}

/**
 * Decodes the last result of `calls`: tokens that routes may pass through.
 *
 * @returns `undefined` if it is malformed.
 */
export function decodeConnectors(result: Hex | undefined): readonly Address[] | undefined {
  if (result === undefined) return undefined
  try {
    return decodeFunctionResult({ abi: hubAbi, functionName: 'connectorTokens', data: result })
  } catch {
    return undefined
  }
}

/**
 * Fee of a leg's pool in pips, deducted from the leg's input.
 *
 * @returns `null` if only the pool knows its fee: a dynamic fee, or a pool that the Hub lists.
 */
export function feePipsOf(venue: Venue, leg: Pick<Leg, 'key'>): number | null {
  return venue.feePips ?? venue.feeOfKey.get(leg.key) ?? null
}

/**
 * Whether hooks may change what a leg's pool pays. In the venue of Uniswap V4 itself, the key of a pool without hooks has at most
 * 48 bits.
 */
export function hasHooks({ kind }: Venue, { key }: Pick<Leg, 'key'>): boolean {
  if (kind === 'adapter') return PoolHints.isHookedKey(key)
  return kind === 'uniswapV4' && key >> 48n !== 0n
}

/** Decodes a name that is padded with zeros, and makes it safe to show. */
function nameOf(id: Hex): string {
  const bytes = hexToBytes(id)
  const end = bytes.indexOf(0)
  return Texts.shownText(new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end)))
}
