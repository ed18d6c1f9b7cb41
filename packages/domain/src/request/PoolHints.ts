import { type Address, checksumAddress, type Hex } from 'viem'
import * as Addresses from '../values/Addresses.js'

/** Maximum number of pool hints in a request. */
export const max = 8

/**
 * A pool that no contract lists by its pair: its address with its checksum, or its 32-byte id in lower case. The contracts take
 * both as one word.
 */
export type PoolHint = Hex

const idShape = /^0x[0-9a-fA-F]{64}$/

/** Why a comma-separated list of pools is invalid; `undefined` if it is valid. */
export function problemOf(text: string): string | undefined {
  const given = text.split(',')
  if (given.length > max) return `must be at most ${max} pools`
  return given.map(hintProblem).find((reason) => reason !== undefined)
}

/** Parses a list that `problemOf` accepted. Each pool appears once. */
export function parse(text: string): readonly PoolHint[] {
  return [...new Set(text.split(',').map((each) => fromWord(each.slice(2))))]
}

/** Encodes a pool as an ABI word, without 0x. */
export function word(pool: PoolHint): string {
  return pool.slice(2).toLowerCase().padStart(64, '0')
}

/** Decodes an ABI word, or an address, both without 0x. A word that fits into an address is one. */
export function fromWord(text: string): PoolHint {
  const digits = text.toLowerCase().padStart(64, '0')
  const isAddress = digits.startsWith('0'.repeat(24))
  return isAddress ? checksumAddress(`0x${digits.slice(24)}` as Address) : `0x${digits}`
}

/** Whether the key of a leg is of this pool: an adapter's key holds the pool's address, or the first 25 bytes of its id. */
export function isOfKey(pool: PoolHint, key: bigint): boolean {
  const named = BigInt(pool)
  return poolIn(key) >> keyShift === (Addresses.hasShape(pool) ? named : named >> idShift)
}

/**
 * Whether a leg's key, of a venue with an adapter, names a pool whose hooks run in swaps. The key of a pool that has an id is longer
 * than 168 bits: the first 25 bytes of the id, then a byte. Only for a pool with hooks is that byte zero.
 */
export function isHookedKey(key: bigint): boolean {
  return poolIn(key) >> 168n !== 0n && (key & 0xffn) === 0n
}

/** The part of a leg's key that names the pool. Above it, the key of a pool with hooks holds the least price of the leg. */
function poolIn(key: bigint): bigint {
  return BigInt.asUintN(208, key)
}

/** The id of a pool that its venue counts. @param place From one on. */
export function fromPlace(place: number): PoolHint {
  return `0x${(BigInt(place) << idShift).toString(16).padStart(64, '0')}`
}

/** Bits of a leg's key below the pool, and bits of an id that a key leaves out. */
const [keyShift, idShift] = [8n, 56n]

function hintProblem(text: string): string | undefined {
  if (idShape.test(text)) return undefined
  if (!Addresses.hasShape(text))
    return 'must be addresses (0x and 40 hexadecimal digits) or ids of pools (0x and 64 hexadecimal digits)'
  const parsed = Addresses.parse(text)
  return parsed.ok ? undefined : parsed.reason
}
