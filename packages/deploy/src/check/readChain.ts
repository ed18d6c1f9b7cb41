import type { Address, Hex } from 'viem'
import { RpcError } from '../errors.js'
import type { Call, Rpc } from '../rpc.js'

/** A read of a contract. */
export type Read = { readonly to: Address; readonly data: Hex }

/** Reads of one chain, at one block. */
export type Chain = {
  readonly read: (reads: readonly Read[]) => Promise<readonly (Hex | undefined)[]>
  readonly code: (addresses: readonly Address[]) => Promise<readonly Hex[]>
}

/** Calls in one JSON-RPC batch. */
const batchSize = 40

/** Reads contracts at a block. `undefined` for each that reverted, or that is not a contract. */
export async function readChain(
  rpc: Rpc,
  reads: readonly Read[],
  block: Hex | 'latest',
): Promise<readonly (Hex | undefined)[]> {
  const answers = await askEach<Hex>(
    rpc,
    reads.map((read) => ['eth_call', [read, block]]),
  )
  return answers.map((answer) => (answer === undefined || answer === '0x' ? undefined : answer))
}

/** Sends calls in batches. `undefined` for each that the node answers with an error. */
export async function askEach<result>(
  rpc: Rpc,
  calls: readonly Call[],
): Promise<readonly (result | undefined)[]> {
  const answers: (result | undefined)[] = []
  for (let start = 0; start < calls.length; start += batchSize) {
    const part = calls.slice(start, start + batchSize)
    answers.push(...(await askPart<result>(rpc, part)))
  }
  return answers
}

/** A batch rejects with the first error in it, so a batch with errors is asked again call by call. */
async function askPart<result>(
  rpc: Rpc,
  calls: readonly Call[],
): Promise<readonly (result | undefined)[]> {
  try {
    return await rpc.batch<result>(calls)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
  }
  return await Promise.all(
    calls.map(([method, params]) =>
      rpc.request<result>(method, params).catch((error: unknown) => {
        if (error instanceof RpcError) return undefined
        throw error
      }),
    ),
  )
}
