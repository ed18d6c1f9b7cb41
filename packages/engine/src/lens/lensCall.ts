import { lensAbi, lensDeployedBytecode } from '@sluice/abi'
import { type Address, encodeFunctionData, type Hex } from 'viem'

/** A read of one contract. */
export type LensAsk = { readonly to: Address; readonly data: Hex }

export const lensCode: Hex = lensDeployedBytecode

/** Where the Lens is put for a call: nothing stands there. */
const place: Address = '0x000000000000000000000000000000004c656e73'
export const lensOverride = { [place]: { code: lensCode } }
/** What the Lens may take in all, and each of its reads: enough for any honest token. */
const callGas = 30_000_000n
const usualGas = 150_000n

/**
 * The call that makes many reads at once, to be sent with `lensOverride`.
 *
 * @param gasEach Most gas that a read may take.
 */
export function lensCall(asks: readonly LensAsk[], gasEach = usualGas) {
  const data = encodeFunctionData({
    abi: lensAbi,
    functionName: 'read',
    args: [asks.map(({ data: each, to }) => ({ target: to, data: each })), gasEach],
  })
  return { to: place, data, gas: callGas }
}
