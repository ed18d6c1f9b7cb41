/** Hexadecimal string, as JSON-RPC writes bytes and quantities. */
export type Hex = `0x${string}`

export function hexOf(quantity: bigint): Hex {
  return `0x${quantity.toString(16)}`
}
