import { Permits, SwapCall, SwapWay } from '@sluice/domain'
import { type Account, bytesToHex, type Client } from 'viem'
import { signTypedData } from 'viem/actions'
import type { VerifiedTransaction, VerifyOptions } from '../verify/verifyTransaction.js'
import type { Address, Hex } from '../wire.js'
import { readSwap, type SwapTransaction } from './payments.js'
import { signerOf } from './signerOf.js'

/** Where Permit2 stands on every chain; the one contract to approve for swaps by signature. */
export const permit2Address: Address = SwapWay.permit2Address

/** The quote that is paid by a Permit2 signature. */
export type Permit2Parameters = VerifyOptions & {
  /** One that the owner has not used on Permit2 yet, in any order. @default a random one */
  nonce?: bigint | undefined
}

/** What the owner has signed. */
export type Permit2Signature = {
  readonly owner: Address
  readonly nonce: bigint
  readonly signature: Hex
}

/**
 * What the owner of the input signs for the quote's swap, with any signer of EIP-712 data. The signature pays for this
 * swap alone: it binds the route, the recipient, the minimum, the amount and the deadline. Nobody needs to be trusted
 * with it, and anybody may send it.
 *
 * @throws IntegrityError if the quote is not what was asked; InvalidParameterError if it is not of 2.0.0.
 */
export function getPermit2TypedData(parameters: Permit2Parameters) {
  return typedDataOf(readSwap(parameters), parameters)
}

function typedDataOf(
  swap: VerifiedTransaction,
  { nonce = randomNonce(), quote }: Permit2Parameters,
) {
  const { amountIn, deadline, minOut, recipient, route, to, tokenIn } = swap
  const routeHash = Permits.routeHashOf(route)
  return {
    domain: { name: 'Permit2', chainId: quote.chainId, verifyingContract: permit2Address },
    types: Permits.permit2Types,
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      permitted: { token: tokenIn, amount: amountIn },
      spender: to,
      nonce,
      deadline,
      witness: { routeHash, recipient, minOut },
    },
  } as const
}

/**
 * The quote's swap, paid by a signature for Permit2. The owner has approved `permit2Address` for the input.
 *
 * @throws IntegrityError if the quote is not what was asked; InvalidParameterError if it is not of 2.0.0.
 */
export function encodePermit2(
  parameters: VerifyOptions & { permit: Permit2Signature },
): SwapTransaction {
  const { route, to, ...terms } = readSwap(parameters)
  const data = SwapCall.encodePermit2(route, terms, parameters.permit)
  return { to, data, value: 0n }
}

/**
 * Signs the quote's swap for Permit2, after every field of it was compared with the request.
 *
 * @returns The signature, and the transaction with it, which anybody may send until the quote's deadline.
 * @throws IntegrityError before anything is signed.
 */
export async function signPermit2(
  client: Client,
  parameters: Permit2Parameters & {
    /** Owner of the tokens that are sold. @default the client's */
    account?: Account | Address | undefined
  },
): Promise<{ permit: Permit2Signature; transaction: SwapTransaction }> {
  const account = signerOf(client, parameters.account)
  const typedData = getPermit2TypedData(parameters)
  const signature = await signTypedData(client, { account, ...typedData })
  const permit = { owner: account.address, nonce: typedData.message.nonce, signature }
  return { permit, transaction: encodePermit2({ ...parameters, permit }) }
}

function randomNonce(): bigint {
  return BigInt(bytesToHex(crypto.getRandomValues(new Uint8Array(32))))
}
