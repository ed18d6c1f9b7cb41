import type { Quote, Transaction } from '../amounts.js'
import type { Client } from '../createClient.js'
import { DecodeError } from '../errors.js'
import { type CallOptions, request } from '../request.js'
import type { Address, Hex, SignedResponse } from '../wire.js'

/**
 * The transaction of a quote with `signature`, once `quote.permit.typedData` is signed. Nothing is sent; with `permit2`
 * anybody may send it, with `permit` its owner.
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
    throw new DecodeError('has no whole `tx`')
  const limit = gas === undefined ? {} : { gas: BigInt(gas) }
  return { to: to as Address, data: data as Hex, value: BigInt(value), ...limit }
}

/** Amounts as the wire has them. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === 'bigint' ? member.toString() : member,
  )
}
