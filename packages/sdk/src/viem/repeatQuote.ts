import type { Client } from 'viem'
import type { DecodedQuote, Quote } from '../amounts.js'
import { type DecodeOptions, decode } from '../verify/decode.js'
import { isSameOutcome, prepareRepeat } from '../verify/prepareRepeat.js'
import { askNode } from './askNode.js'
import { demandChain } from './demandChain.js'

/** What your own node says to the call of a quote, on the block of the quote. */
export type Repetition = {
  /** Whether the node computes the same route, with the same output, to the wei. */
  readonly isSame: boolean
  readonly own: DecodedQuote
}

/**
 * Repeats a quote on the client's own node: the very call that `meta.call` says, on its block.
 *
 * @throws IntegrityError if the call is not of the quote's trade, or the node's answer fails a check;
 * RpcUnreachableError if the node gives no answer, for example because it does not have the block.
 */
export async function repeatQuote(
  client: Client,
  quote: Quote,
  options: Omit<DecodeOptions, 'now'>,
): Promise<Repetition> {
  const prepared = prepareRepeat(quote, options)
  await demandChain(client, quote.chainId)
  const result = await askNode(client, prepared.rpcRequest.params)
  const own = decode({ request: prepared.request, result }, options)
  return { isSame: isSameOutcome(quote, own), own }
}
