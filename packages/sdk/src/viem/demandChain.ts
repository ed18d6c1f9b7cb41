import type { Client } from 'viem'
import { getChainId } from 'viem/actions'
import { IntegrityError, RpcUnreachableError } from '../errors.js'

/** Rejects a client whose node is on another chain, where the same addresses may have other contracts. */
export async function demandChain(client: Client, chainId: number): Promise<void> {
  const found = await getChainId(client).catch((cause: unknown) => {
    throw new RpcUnreachableError('Your node did not respond.', {
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
