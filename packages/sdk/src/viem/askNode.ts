import type { Client } from 'viem'
import { NoRouteError, RpcUnreachableError } from '../errors.js'
import type { Hex } from '../wire.js'
import { revertOf } from './revertOf.js'

/**
 * Sends a prepared call to the client's node.
 *
 * @throws NoRouteError if the call reverts; RpcUnreachableError if the node does not respond.
 */
export async function askNode(client: Client, params: readonly unknown[]): Promise<Hex> {
  try {
    return await client.request({ method: 'eth_call', params } as never)
  } catch (cause) {
    const revert = revertOf(cause)
    if (revert === undefined)
      throw new RpcUnreachableError('Your node did not respond.', {
        code: 'rpc_unreachable',
        cause,
        retryable: true,
      })
    throw new NoRouteError(`The quote call reverted with ${revert.name}.`, {
      code: 'no_route',
      cause,
    })
  }
}
