import type { Client } from 'viem'
import type { DecodedQuote } from '../amounts.js'
import { NoRouteError, RpcUnreachableError } from '../errors.js'
import type { QuoteParameters } from '../parameters.js'
import { type DecodeOptions, decode } from '../verify/decode.js'
import { prepare } from '../verify/prepare.js'
import type { Hex } from '../wire.js'
import { demandChain } from './demandChain.js'
import { revertOf } from './revertOf.js'

/**
 * A quote from the client's own node: prepare, one `eth_call`, decode. No service takes part.
 *
 * @throws NoRouteError, IntegrityError, InvalidParameterError; RpcUnreachableError where the node gives no answer.
 */
export async function quote(
  client: Client,
  parameters: QuoteParameters,
  options: Omit<DecodeOptions, 'now'>,
): Promise<DecodedQuote> {
  const prepared = prepare(parameters, options)
  await demandChain(client, prepared.chainId)
  const result = await ask(client, prepared.rpcRequest.params)
  return decode({ request: prepared.request, result }, options)
}

async function ask(client: Client, params: readonly unknown[]): Promise<Hex> {
  try {
    return await client.request({ method: 'eth_call', params } as never)
  } catch (cause) {
    const revert = revertOf(cause)
    if (revert === undefined)
      throw new RpcUnreachableError('Your node gave no answer.', {
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
