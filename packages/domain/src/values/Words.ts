import type { Address } from 'viem'

/** Encodes an unsigned integer as an ABI word, without 0x. The caller must pass at most 256 bits. */
export function integer(value: bigint | number): string {
  return value.toString(16).padStart(64, '0')
}

/** Encodes an address as an ABI word, without 0x. */
export function address(value: Address): string {
  return value.slice(2).toLowerCase().padStart(64, '0')
}
