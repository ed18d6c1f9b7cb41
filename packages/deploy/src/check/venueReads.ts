import { type Address, concatHex, type Hex, pad, toFunctionSelector, toHex } from 'viem'
import type { VenueEntry } from '../parseVenue.js'
import type { Read } from './readChain.js'

type Reads = {
  /** Function of the factory that names the pool of a pair. */
  readonly getter: Hex
  readonly hasKey: boolean
  /** Function of the pools that says, in one of its words, that the pool is not locked. */
  readonly state?: Hex
  /** Functions of the factory that count its pools and name one. */
  readonly listed?: readonly [count: Hex, pool: Hex]
}

const pools = [
  toFunctionSelector('allPoolsLength()'),
  toFunctionSelector('allPools(uint256)'),
] as const
const slot0 = toFunctionSelector('slot0()')

/** How each kind of factory is asked. */
const reads: { readonly [kind in VenueEntry['kind']]?: Reads } = {
  uniswapV2: {
    getter: toFunctionSelector('getPair(address,address)'),
    hasKey: false,
    listed: [toFunctionSelector('allPairsLength()'), toFunctionSelector('allPairs(uint256)')],
  },
  uniswapV3: {
    getter: toFunctionSelector('getPool(address,address,uint24)'),
    hasKey: true,
    state: slot0,
  },
  slipstream: {
    getter: toFunctionSelector('getPool(address,address,int24)'),
    hasKey: true,
    state: slot0,
    listed: pools,
  },
  algebra: {
    getter: toFunctionSelector('poolByPair(address,address)'),
    hasKey: false,
    state: toFunctionSelector('globalState()'),
  },
  solidly: {
    getter: toFunctionSelector('getPool(address,address,bool)'),
    hasKey: true,
    listed: pools,
  },
}

/** Asks the factory for the pool of a pair; `undefined` for kinds whose factory names no pools. */
export function readOfPool(
  { factory, kind }: Pick<VenueEntry, 'factory' | 'kind'>,
  [a, b]: readonly [Address, Address],
  key: bigint,
): Read | undefined {
  const how = reads[kind]
  if (how === undefined) return undefined
  const keys = how.hasKey ? [toHex(key, { size: 32 })] : []
  return { to: factory, data: concatHex([how.getter, pad(a), pad(b), ...keys]) }
}

/** Asks a pool for the words of which one says that it is not locked. */
export function readOfLock(kind: VenueEntry['kind'], pool: Address): Read | undefined {
  const state = reads[kind]?.state
  return state && { to: pool, data: state }
}

/** Asks a factory how many pools it has. */
export function readOfCount({ factory, kind }: VenueEntry): Read | undefined {
  const listed = reads[kind]?.listed
  return listed && { to: factory, data: listed[0] }
}

/** Asks a factory that counts its pools for one of them. */
export function readOfPlace({ factory, kind }: VenueEntry, place: bigint): Read {
  return { to: factory, data: concatHex([reads[kind]!.listed![1], toHex(place, { size: 32 })]) }
}

/** The address in the first word of an answer; `undefined` if it is none, or zero. */
export function addressIn(answer: Hex | undefined, word = 0): Address | undefined {
  const digits = answer?.slice(2 + 64 * word, 66 + 64 * word)
  if (digits?.length !== 64 || !digits.startsWith('0'.repeat(24)) || /^0+$/.test(digits))
    return undefined
  return `0x${digits.slice(24)}`
}

/** The number in a word of an answer. */
export function numberIn(answer: Hex | undefined, word = 0): bigint | undefined {
  const digits = answer?.slice(2 + 64 * word, 66 + 64 * word)
  return digits?.length === 64 ? BigInt(`0x${digits}`) : undefined
}
