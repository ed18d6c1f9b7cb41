import type { Quote, Transaction } from '../amounts.js'
import type { Client } from '../createClient.js'
import { DecodeError } from '../errors.js'
import { type CallOptions, request } from '../request.js'
import type { Address, Hex, SignedResponse } from '../wire.js'

/**
 * Returns the transaction of a quote with `signature`, once `quote.permit.typedData` is signed. Does not send it: with
 * `permit2` anyone can send it, with `permit` only its owner.
 *
 * @throws InvalidParameterError if the signature does not pay for the swap.
 */
export async function completeQuote(
  client: Client,
  parameters: { quote: Quote; signature: Hex },
  options?: CallOptions,
): Promise<Transaction> {
  const { quote, signature } = parameters
  const { chainId, permit, route } = quote
  const body = {
    quote: JSON.parse(
      textOf({ chainId, permit, route: { ...route, impactBps: Number(route.impactBps) } }),
    ) as object,
    signature,
  }
  const answer = (await request(client, 'postSigned', { body }, options)) as SignedResponse
  const { data, gas, to, value } = answer.tx ?? {}
  if (typeof to !== 'string' || typeof data !== 'string' || value === undefined)
    throw new DecodeError('has no complete `tx`')
  const limit = gas === undefined ? {} : { gas: BigInt(gas) }
  return { to: to as Address, data: data as Hex, value: BigInt(value), ...limit }
}

/** JSON with bigints as decimal strings, as in the API. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === 'bigint' ? member.toString() : member,
  )
}
