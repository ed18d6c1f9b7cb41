import { type Address, type Hex, pad, size, slice } from 'viem'
import type { PinnedCall, PinnedResult } from '../quotes/readPinned.js'

/** Address at which the probe is placed for a call. No contract exists there. */
const place: Address = '0x00000000000000000000000000000000636f6465'
/**
 * Returns the first word of an account's code and the size of the code. `eth_getCode` is no call, and could be answered on
 * another block than the calls beside it.
 */
const probe: Hex = '0x60205f5f5f353c5f353b60205260405ff3'
/** Start of the code of an account with EIP-7702, before the address that it delegates to. */
const delegation = '0xef0100'

/** The call that reads what kind of account this is; `isContract` and `hasCode` read its result. */
export function codeCall(account: Address): PinnedCall {
  return { to: place, data: pad(account), gas: 100_000n, override: { [place]: { code: probe } } }
}

/** Whether the account has no key: it has code of its own. `undefined` if that could not be read. */
export function isContract(result: PinnedResult | undefined): boolean | undefined {
  const has = hasCode(result)
  return has && slice((result as { data: Hex }).data, 0, 3) !== delegation
}

/** Whether the account has code, of its own or of a contract that it delegates to. `undefined` if that could not be read. */
export function hasCode(result: PinnedResult | undefined): boolean | undefined {
  if (!result?.ok || size(result.data) !== 64) return undefined
  return BigInt(slice(result.data, 32)) > 0n
}
