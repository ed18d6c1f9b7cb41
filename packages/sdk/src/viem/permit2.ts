import { Permits, SignedSwap, SwapWay } from '@sluice/domain'
import { type Account, bytesToHex, type Client } from 'viem'
import { signTypedData } from 'viem/actions'
import type { VerifiedTransaction, VerifyOptions } from '../verify/verifyTransaction.js'
import type { Address, Hex } from '../wire.js'
import { readSwap, type SwapTransaction } from './payments.js'
import { signerOf } from './signerOf.js'

/** Address of the Permit2 contract on every chain. Approve only this contract for swaps by signature. */
export const permit2Address: Address = SwapWay.permit2Address

/** The quote to pay for with a Permit2 signature. */
export type Permit2Parameters = VerifyOptions & {
  /** A nonce that the owner has not used with Permit2 yet; nonces need no order. @default random */
  nonce?: bigint | undefined
}

/** A Permit2 signature of the owner. */
export type Permit2Signature = {
  readonly owner: Address
  readonly nonce: bigint
  readonly signature: Hex
}

/**
 * Returns the EIP-712 data that the owner of the input signs for the swap of a quote. The signature pays only for this swap:
 * it covers the route, the recipient, the minimum, the amount and the deadline. So anyone may have it and send the swap.
 *
 * @throws IntegrityError if the quote does not match the request; InvalidParameterError if it is not for 2.0.0.
 */
export function getPermit2TypedData(parameters: Permit2Parameters) {
  return typedDataOf(readSwap(parameters), parameters)
}

function typedDataOf(
  swap: VerifiedTransaction,
  { nonce = randomNonce(), quote }: Permit2Parameters,
) {
  const { amountIn, deadline, route, to, tokenIn } = swap
  return {
    domain: { name: 'Permit2', chainId: quote.chainId, verifyingContract: permit2Address },
    // The same members in either form, so that a caller can read them; the witness has two more with a fee.
    types: shapedAs(Permits.permit2Types, Permits.permit2TypesOf(swap)),
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      permitted: { token: tokenIn, amount: amountIn },
      spender: to,
      nonce,
      deadline,
      witness: Permits.witnessOf(route, swap),
    },
  } as const
}

function shapedAs<shape>(_: shape, value: object): shape {
  return value as shape
}

/**
 * Returns the swap of a quote, paid with a Permit2 signature. The owner must have approved `permit2Address` for the input.
 *
 * @throws IntegrityError if the quote does not match the request; InvalidParameterError if it is not for 2.0.0.
 */
export function encodePermit2(
  parameters: VerifyOptions & { permit: Permit2Signature },
): SwapTransaction {
  const { route, to, ...terms } = readSwap(parameters)
  const data = SignedSwap.encodePermit2(route, terms, parameters.permit)
  return { to, data, value: 0n }
}

/**
 * Compares every field of the quote's swap with the request, then signs it for Permit2.
 *
 * @returns The signature, and the transaction with it, which anyone may send until the deadline of the quote.
 * @throws IntegrityError before anything is signed.
 */
export async function signPermit2(
  client: Client,
  parameters: Permit2Parameters & {
    /** Owner of the tokens that are sold. @default the account of the client */
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
