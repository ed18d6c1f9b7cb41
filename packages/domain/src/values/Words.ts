import type { Address } from 'viem'

/** An unsigned integer as one word of an ABI encoding, without 0x. Callers keep to 256 bits. */
export function integer(value: bigint | number): string {
  return value.toString(16).padStart(64, '0')
}

export function address(value: Address): string {
  return value.slice(2).toLowerCase().padStart(64, '0')
}
