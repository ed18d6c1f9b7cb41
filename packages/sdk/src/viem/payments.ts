import { routerV2Abi } from '@sluice/abi'
import { encodeFunctionData } from 'viem'
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
 * @throws IntegrityError where the quote is not what was asked; InvalidParameterError where it was not asked of 2.0.0 with
 * `in: 'ETH'`.
 */
export function encodeNativeIn(parameters: VerifyOptions): SwapTransaction {
  const swap = readSwap(parameters)
  if (parameters.quote.wrapRequired !== true)
    throw refused('in', 'is not the native coin: ask for ETH')
  const { amountIn, deadline, minOut, recipient, route, to } = swap
  const data = encodeFunctionData({
    abi: routerV2Abi,
    functionName: 'swapExactInNative',
    args: [route, minOut, recipient, deadline],
  })
  return { to, data, value: amountIn }
}

/**
 * The quote's swap, paying the recipient in native coin instead of the wrapped token.
 *
 * @throws IntegrityError where the quote is not what was asked; InvalidParameterError where it was not asked of 2.0.0 with
 * `out: 'ETH'`.
 */
export function encodeNativeOut(parameters: VerifyOptions): SwapTransaction {
  const swap = readSwap(parameters)
  if (parameters.quote.unwrapAfter !== true)
    throw refused('out', 'is not the native coin: ask for ETH')
  const { amountIn, deadline, minOut, recipient, route, to } = swap
  const data = encodeFunctionData({
    abi: routerV2Abi,
    functionName: 'swapExactInForNative',
    args: [route, amountIn, minOut, recipient, deadline],
  })
  return { to, data, value: 0n }
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
