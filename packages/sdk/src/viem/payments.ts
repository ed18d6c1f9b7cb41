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
  /** Native coin that goes along. */
  readonly value: bigint
}

/**
 * The quote's swap, paid in native coin instead of the wrapped token: nothing is to be wrapped or approved.
 *
 * @throws IntegrityError if the quote is not what was asked; InvalidParameterError if it was not asked of 2.0.0 with
 * `in: 'ETH'`.
 */
export function encodeNativeIn(parameters: VerifyOptions): SwapTransaction {
  const { data, to, value } = readSwap(parameters)
  if (String(parameters.request.in).toUpperCase() !== 'ETH')
    throw refused('in', 'is not the native coin: ask for ETH')
  return { to, data, value }
}

/**
 * The quote's swap, paying the recipient in native coin instead of the wrapped token.
 *
 * @throws IntegrityError if the quote is not what was asked; InvalidParameterError if it was not asked of 2.0.0 with
 * `out: 'ETH'`.
 */
export function encodeNativeOut(parameters: VerifyOptions): SwapTransaction {
  const { data, to, value } = readSwap(parameters)
  if (String(parameters.request.out).toUpperCase() !== 'ETH')
    throw refused('out', 'is not the native coin: ask for ETH')
  return { to, data, value }
}

/** The swap in the quote's transaction, every field of it compared with what was asked. */
export function readSwap(parameters: VerifyOptions): VerifiedTransaction {
  const swap = verifyTransaction(parameters.quote.tx ?? {}, parameters)
  if (swap.version.startsWith('2.')) return swap
  throw new InvalidParameterError(
    `The Router of ${swap.version} takes an approved token alone; ask for a quote with \`version: 2\`.`,
    { code: 'bad_version' },
  )
}
