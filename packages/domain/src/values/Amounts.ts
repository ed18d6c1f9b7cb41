/** Form of `amountIn` on the wire. 77 digits always fit 256 bits. */
export const pattern = /^[0-9]{1,77}$/

/** Basis points of the whole. */
export const wholeBps = 10_000n

/** The protocol fee, in basis points of what the route delivers. */
export const protocolFeeBps = 28

/** Protocol fee on `grossOut`, rounded down: the odd unit stays with the user. */
export function protocolFeeOf(grossOut: bigint): bigint {
  return (grossOut * BigInt(protocolFeeBps)) / wholeBps
}
