import { lensAbi, lensDeployedBytecode } from '@sluice/abi'
import { type Address, encodeFunctionData, type Hex } from 'viem'

/** A read of one contract. */
export type LensAsk = { readonly to: Address; readonly data: Hex }

export const lensCode: Hex = lensDeployedBytecode

/** Address at which the Lens is placed for a call. No contract exists there. */
const place: Address = '0x000000000000000000000000000000004c656e73'
export const lensOverride = { [place]: { code: lensCode } }
/** Gas limit of the whole call. */
const callGas = 30_000_000n
/** Gas limit of each read: enough for any honest token. */
const usualGas = 150_000n

/**
 * Returns a call that makes many reads at once; send it with `lensOverride`.
 *
 * @param gasEach Gas limit of each read.
 */
export function lensCall(asks: readonly LensAsk[], gasEach = usualGas) {
  const data = encodeFunctionData({
    abi: lensAbi,
    functionName: 'read',
    args: [asks.map(({ data: each, to }) => ({ target: to, data: each })), gasEach],
  })
  return { to: place, data, gas: callGas }
}
