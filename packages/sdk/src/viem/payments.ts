import { InvalidParameterError } from '../errors.js'
import { refused } from '../parameters.js'
import {
  type VerifiedTransaction,
  type VerifyOptions,
  verifyTransaction,
} from '../verify/verifyTransaction.js'
import type { Address, Hex } from '../wire.js'

/** A transaction to send. */
export type SwapTransaction = {
  readonly to: Address
  readonly data: Hex
  /** Native coin to send, in wei. */
  readonly value: bigint
}

/**
 * Returns the swap of a quote, paid in native coin instead of the wrapped token: without wrapping or approval.
 *
 * @throws IntegrityError if the quote does not match the request; InvalidParameterError if the request does not have
 * `version: 2` and `in: 'ETH'`.
 */
export function encodeNativeIn(parameters: VerifyOptions): SwapTransaction {
  const { data, to, value } = readSwap(parameters)
  if (String(parameters.request.in).toUpperCase() !== 'ETH')
    throw refused('in', 'is not the native coin: request the quote with ETH')
  return { to, data, value }
}

/**
 * Returns the swap of a quote that pays the recipient native coin instead of the wrapped token.
 *
 * @throws IntegrityError if the quote does not match the request; InvalidParameterError if the request does not have
 * `version: 2` and `out: 'ETH'`.
 */
export function encodeNativeOut(parameters: VerifyOptions): SwapTransaction {
  const { data, to, value } = readSwap(parameters)
  if (String(parameters.request.out).toUpperCase() !== 'ETH')
    throw refused('out', 'is not the native coin: request the quote with ETH')
  return { to, data, value }
}

/** Decodes the swap in the quote's transaction, and compares every field with the request. */
export function readSwap(parameters: VerifyOptions): VerifiedTransaction {
  const swap = verifyTransaction(parameters.quote.tx ?? {}, parameters)
  if (swap.version.startsWith('2.')) return swap
  throw new InvalidParameterError(
    `The Router of ${swap.version} only supports approved tokens; request a quote with \`version: 2\`.`,
    { code: 'bad_version' },
  )
}
