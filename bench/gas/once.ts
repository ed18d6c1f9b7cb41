import type { Rpc } from '@sluice/deploy'
import type { Hex } from 'viem'

/** Does something and takes it back. */
export async function once<Result>(rpc: Rpc, action: () => Promise<Result>): Promise<Result> {
  const snapshot = await rpc.request<Hex>('evm_snapshot')
  const result = await action()
  await rpc.request('evm_revert', [snapshot])
  return result
}
