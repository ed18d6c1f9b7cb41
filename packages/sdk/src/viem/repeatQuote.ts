import type { Client } from 'viem'
import type { DecodedQuote, Quote } from '../amounts.js'
import { type DecodeOptions, decode } from '../verify/decode.js'
import { isSameOutcome, prepareRepeat, type RepeatOptions } from '../verify/prepareRepeat.js'
import { askNode } from './askNode.js'
import { demandChain } from './demandChain.js'

/** Result of repeating a quote on your own node. */
export type Repetition = {
  /** Whether the node computes the same route with the same output, to the base unit. */
  readonly isSame: boolean
  readonly own: DecodedQuote
}

/**
 * Repeats a quote on the client's own node: the call in `meta.call`, on its block.
 *
 * @throws IntegrityError if the call does not match the trade of the quote, or if the node's result fails a check;
 * RpcUnreachableError if the node does not respond, for example because it does not have the block.
 */
export async function repeatQuote(
  client: Client,
  quote: Quote,
  options: Omit<DecodeOptions, 'now'> & Pick<RepeatOptions, 'overrides'>,
): Promise<Repetition> {
  const prepared = prepareRepeat(quote, options)
  await demandChain(client, quote.chainId)
  const result = await askNode(client, prepared.rpcRequest.params)
  const own = decode({ request: prepared.request, result }, options)
  return { isSame: isSameOutcome(quote, own), own }
}
