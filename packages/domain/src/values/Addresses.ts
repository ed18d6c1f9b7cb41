import { type Address, checksumAddress } from 'viem'

/** The zero address. */
export const zero: Address = '0x0000000000000000000000000000000000000000'

const shape = /^0x[0-9a-fA-F]{40}$/

/** A parsed address, or why it is invalid. */
export type Parsed =
  | { readonly ok: true; readonly address: Address }
  | { readonly ok: false; readonly reason: string }

/** Whether a string is 0x and 40 hexadecimal digits. Does not check the checksum. */
export function hasShape(text: string): boolean {
  return shape.test(text)
}

/**
 * Parses an address and returns it with its EIP-55 checksum.
 *
 * Digits that are all lower case or all upper case have no checksum and are accepted. Mixed case must have the correct
 * checksum, because a wrong one means a typing error.
 */
export function parse(text: string): Parsed {
  if (!shape.test(text)) return { ok: false, reason: 'must be 0x and 40 hexadecimal digits' }
  const digits = text.slice(2)
  const address = checksumAddress(text.toLowerCase() as Address)
  const hasOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (!hasOneCase && address !== text)
    return { ok: false, reason: 'has a wrong EIP-55 checksum; check it for a typing error' }
  return { ok: true, address }
}

/** Shortens an address for display. Show the whole address elsewhere. */
export function shorten(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}

/** Whether two addresses are equal, ignoring case. */
export function equal(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
