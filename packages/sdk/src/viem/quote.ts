import type { Client } from 'viem'
import type { DecodedQuote } from '../amounts.js'
import type { QuoteParameters } from '../parameters.js'
import { type DecodeOptions, decode } from '../verify/decode.js'
import { prepare } from '../verify/prepare.js'
import { askNode } from './askNode.js'
import { demandChain } from './demandChain.js'

/**
 * Quotes on the client's own node: prepare, one `eth_call`, decode. Does not use the service.
 *
 * @throws NoRouteError, IntegrityError, InvalidParameterError; RpcUnreachableError if the node does not respond.
 */
export async function quote(
  client: Client,
  parameters: QuoteParameters,
  options: Omit<DecodeOptions, 'now'>,
): Promise<DecodedQuote> {
  const prepared = prepare(parameters, options)
  await demandChain(client, prepared.chainId)
  const result = await askNode(client, prepared.rpcRequest.params)
  return decode({ request: prepared.request, result }, options)
}
