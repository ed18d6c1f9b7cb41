import { type Rpc, RpcError } from '@sluice/deploy'
import { classify, isAnswer } from '@sluice/rpc'
import type { Hex } from 'viem'

/** What an `eth_call` returned, or how the EVM ended it. */
export type Called = { ok: true; data: Hex } | { ok: false; why: string }

/** How often a call is made again because its block was no longer the latest one. */
const attempts = 5

/**
 * Makes an `eth_call` on the latest block.
 *
 * @throws RpcError, RpcUnreachableError if the node fails. Only reverts and halts of the EVM say anything about the call.
 */
export async function tryCall(rpc: Rpc, call: object): Promise<Called> {
  for (let attempt = 1; ; attempt++) {
    try {
      return { ok: true, data: await rpc.request<Hex>('eth_call', [call, 'latest']) }
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      // Anvil looks the latest block up before it calls. Without history it has lost that block if it mines another meanwhile.
      if (/BlockOutOfRange/.test(error.message) && attempt < attempts) continue
      if (!isAnswer(classify(error))) throw error
      return { ok: false, why: error.data ? `${error.message} Data: ${error.data}` : error.message }
    }
  }
}
