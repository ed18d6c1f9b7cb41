import { erc4626AdapterAbi } from '@sluice/abi'
import { type Registry, VenueKind } from '@sluice/domain'
import type { RpcCall } from '@sluice/rpc'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  numberToHex,
} from 'viem'

/** All adapters share these functions. */
const abi = erc4626AdapterAbi
/** The first argument of some of them. */
export const adapterKind = VenueKind.numberOf('adapter')
/** Gas limit of a call: the adapter limits each question that it passes on. */
export const adapterGas = numberToHex(4_000_000n)

/** Code of contracts that are not deployed, by their address. */
export type BroughtCode = Registry.ServedChain['stateOverride']

/** A call to an adapter, with its code if it is not deployed. */
export function adapterCall(adapter: Address, data: Hex, brought: BroughtCode): RpcCall {
  const to = getAddress(adapter)
  const code = brought?.[to]
  const call = { to, data, gas: adapterGas }
  return { method: 'eth_call', params: [call, 'latest', ...(code ? [{ [to]: code }] : [])] }
}

/** Asks for the keys of an adapter's pools that hold two tokens. @param hints Pools that it need not know of itself, as words. */
export function encodeKeysOf(
  [token0, token1]: readonly [Address, Address],
  hints: readonly bigint[],
): Hex {
  return encodeFunctionData({ abi, functionName: 'keysOf', args: [token0, token1, hints] })
}

/** Asks for the words that price the pool of a key. */
export function encodeRead(adapter: Address, key: bigint): Hex {
  const args = [adapterKind, adapter, adapter, key] as const
  return encodeFunctionData({ abi, functionName: 'read', args })
}

/** Returns the keys that an adapter answered; none if a node or a contract answered something else. */
export function keysIn(data: Hex | undefined): readonly bigint[] {
  return decodedOr([], data, (known) =>
    decodeFunctionResult({ abi, functionName: 'keysOf', data: known }),
  )
}

/** Returns the words that price a pool, as an adapter answered them; none if something else was answered. */
export function stateIn(data: Hex | undefined): readonly bigint[] {
  return decodedOr([], data, (known) =>
    decodeFunctionResult({ abi, functionName: 'read', data: known }),
  )
}

/** Returns the address that an answer is, in lower case; `undefined` for anything else, and for the zero address. */
export function addressIn(data: Hex = '0x'): Address | undefined {
  return /^0x0{24}(?!0{40})[0-9a-f]{40}$/.test(data) ? `0x${data.slice(-40)}` : undefined
}

/** Decodes an answer. @param fallback In place of one that cannot be decoded. */
export function decodedOr<value>(
  fallback: value,
  data: Hex | undefined,
  decode: (data: Hex) => value,
): value {
  if (data === undefined) return fallback
  try {
    return decode(data)
  } catch {
    return fallback
  }
}
