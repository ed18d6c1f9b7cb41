import { type Rpc, RpcError } from '@sluice/deploy'
import { classify, isAnswer } from '@sluice/rpc'
import type { Hex } from 'viem'

/** What an `eth_call` returned, or how the EVM ended it. */
export type Called = { ok: true; data: Hex } | { ok: false; why: string }

/**
 * Makes an `eth_call` on the latest block.
 *
 * @throws RpcError, RpcUnreachableError if the node fails. Only reverts and halts of the EVM say anything about the call.
 */
export async function tryCall(rpc: Rpc, call: object): Promise<Called> {
  try {
    return { ok: true, data: await rpc.request<Hex>('eth_call', [call, 'latest']) }
  } catch (error) {
    if (error instanceof RpcError && isAnswer(classify(error)))
      return { ok: false, why: error.data ? `${error.message} Data: ${error.data}` : error.message }
    throw error
  }
}
