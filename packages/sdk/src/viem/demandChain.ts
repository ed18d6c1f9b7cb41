import type { Client } from 'viem'
import { getChainId } from 'viem/actions'
import { IntegrityError, RpcUnreachableError } from '../errors.js'

/** Refuses a client whose node is of another chain: the same addresses hold other contracts there. */
export async function demandChain(client: Client, chainId: number): Promise<void> {
  const found = await getChainId(client).catch((cause: unknown) => {
    throw new RpcUnreachableError('Your node gave no answer.', {
      code: 'rpc_unreachable',
      cause,
      retryable: true,
    })
  })
  if (found !== chainId)
    throw new IntegrityError('chainId', `The client is on chain ${found}, not on ${chainId}.`, {
      code: 'bad_chain',
    })
}
