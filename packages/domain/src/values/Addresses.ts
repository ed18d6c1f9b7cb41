import { type Address, checksumAddress } from 'viem'

/** The zero address. */
export const zero: Address = '0x0000000000000000000000000000000000000000'

const shape = /^0x[0-9a-fA-F]{40}$/

/** An address that was read, or what is wrong with it. */
export type Parsed =
  | { readonly ok: true; readonly address: Address }
  | { readonly ok: false; readonly reason: string }

/** Whether the text has the form of an address, whatever its checksum. */
export function hasShape(text: string): boolean {
  return shape.test(text)
}

/**
 * Reads an address and gives it its EIP-55 checksum.
 *
 * Digits all in lower or all in upper case carry no checksum and pass; mixed case must carry the right one, because a
 * wrong one is the sign of a mistyped address.
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

/** For people, who have the whole of it elsewhere. */
export function shorten(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}

/** Whether two addresses are the same, whatever their case. */
export function equal(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
