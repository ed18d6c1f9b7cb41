/** An amount as JSON-RPC writes it. */
export function hexOf(value: bigint): string {
  return `0x${value.toString(16)}`
}
