import { type Hex, numberToHex } from 'viem'
import type { Rpc } from '../../rpc.js'
import { askEach } from '../readChain.js'
import type { Transaction } from './Block.js'

type Receipt = {
  readonly gasUsed: Hex
  readonly effectiveGasPrice?: Hex
  /** A rollup's fee for the transaction's data in wei, and the rates of its operator's fee. */
  readonly l1Fee?: Hex | null
  readonly operatorFeeScalar?: Hex | null
  readonly operatorFeeConstant?: Hex | null
}

/**
 * Native coin that the sender of a transaction received from contracts, in wei: what its balance tells beyond what it sent and paid
 * for gas. No log tells of it.
 *
 * @param block Number of its block, which has no other transaction from the sender or to it.
 * @returns `undefined` if the node lacks an answer.
 */
export async function readUnseenNative(
  rpc: Rpc,
  block: number,
  { from, hash, value }: Transaction,
): Promise<bigint | undefined> {
  const [before, after, receipt] = await askEach<Hex | Receipt | null>(rpc, [
    ['eth_getBalance', [from, numberToHex(block - 1)]],
    ['eth_getBalance', [from, numberToHex(block)]],
    ['eth_getTransactionReceipt', [hash]],
  ])
  const fee = receipt && feeOf(receipt as Receipt)
  if (before === undefined || after === undefined || fee === undefined || fee === null)
    return undefined
  const unseen = BigInt(after as Hex) - BigInt(before as Hex) + fee + value
  return unseen < 0n ? undefined : unseen
}

/** What the sender paid for gas; `undefined` if the receipt does not tell. */
function feeOf(receipt: Receipt): bigint | undefined {
  const { effectiveGasPrice, gasUsed, l1Fee, operatorFeeConstant, operatorFeeScalar } = receipt
  if (effectiveGasPrice === undefined) return undefined
  // How these rates add up differs between versions of rollups; those that are known have none.
  if (BigInt(operatorFeeScalar ?? 0) + BigInt(operatorFeeConstant ?? 0) !== 0n) return undefined
  return BigInt(gasUsed) * BigInt(effectiveGasPrice) + BigInt(l1Fee ?? 0)
}
