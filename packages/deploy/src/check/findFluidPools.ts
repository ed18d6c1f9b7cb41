import { PoolHints } from '@sluice/domain'
import {
  type Address,
  concatHex,
  getAddress,
  type Hex,
  isAddressEqual,
  keccak256,
  numberToHex,
  pad,
  toFunctionSelector,
} from 'viem'
import type { Rpc } from '../rpc.js'
import type { Hint } from './Hint.js'
import { pairOf } from './pairs.js'
import { type Read, readChain } from './readChain.js'
import { addressIn, numberIn } from './venueReads.js'

const readFromStorage = toFunctionSelector('readFromStorage(bytes32)')
const native: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
/** Slot of the list of pools, whose entries are of three words: two tokens and a salt. */
const listSlot = pad('0x01')
const entryWords = 3n

/** Pools of Fluid DEX Lite, from the list in its storage, the newest first. */
export async function findFluidPools(
  rpc: Rpc,
  { registry: holder, wrappedNative }: { registry: Address; wrappedNative: Address },
  { block, count }: { block: Hex; count: number; head: number },
): Promise<readonly Hint[]> {
  const readAt = (slot: Hex): Read => ({ to: holder, data: concatHex([readFromStorage, slot]) })
  const total = Number(numberIn((await readChain(rpc, [readAt(listSlot)], block))[0]) ?? 0n)
  const places = Array.from({ length: Math.min(total, count) }, (_, index) => total - 1 - index)
  const slots = places.flatMap((place) => {
    const first = BigInt(keccak256(listSlot)) + entryWords * BigInt(place)
    return [first, first + 1n].map((slot) => numberToHex(slot, { size: 32 }))
  })
  const answers = await readChain(rpc, slots.map(readAt), block)
  return places.flatMap((place, index) => {
    const tokens = [answers[2 * index], answers[2 * index + 1]].map((answer) => addressIn(answer))
    const [a, b] = tokens.map(
      (token) => token && (isAddressEqual(token, native) ? wrappedNative : getAddress(token)),
    )
    if (!a || !b) return []
    const pool = PoolHints.fromPlace(place + 1)
    return [{ pair: pairOf(a, b), pool, holder }]
  })
}
