/** Format of `amountIn` in requests. 77 digits always fit 256 bits. */
export const pattern = /^[0-9]{1,77}$/

/** Basis points in 100 %. */
export const wholeBps = 10_000n

/** The protocol fee, in basis points of the gross output. */
export const protocolFeeBps = 28

/** Protocol fee on `grossOut`, in the same base units, rounded down in favor of the user. */
export function protocolFeeOf(grossOut: bigint): bigint {
  return (grossOut * BigInt(protocolFeeBps)) / wholeBps
}
