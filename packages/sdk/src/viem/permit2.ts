import { routerV2Abi } from '@sluice/abi'
import {
  type Account,
  bytesToHex,
  type Client,
  encodeAbiParameters,
  encodeFunctionData,
  keccak256,
  parseAbiParameters,
} from 'viem'
import { parseAccount } from 'viem/accounts'
import { signTypedData } from 'viem/actions'
import type { VerifiedTransaction, VerifyOptions } from '../verify/verifyTransaction.js'
import type { Address, Hex } from '../wire.js'
import { readSwap, type SwapTransaction } from './payments.js'

/** Where Permit2 stands on every chain; the one contract to approve for swaps by signature. */
export const permit2Address: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

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

const types = {
  PermitWitnessTransferFrom: [
    { name: 'permitted', type: 'TokenPermissions' },
    { name: 'spender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'witness', type: 'SwapWitness' },
  ],
  SwapWitness: [
    { name: 'routeHash', type: 'bytes32' },
    { name: 'recipient', type: 'address' },
    { name: 'minOut', type: 'uint256' },
  ],
  TokenPermissions: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
} as const

const routeParameters = parseAbiParameters([
  'Route route',
  'struct Route { address tokenIn; address tokenOut; uint256 amountIn; uint256 grossOut; uint256 impactBps; Leg[] legs; }',
  'struct Leg { uint16 venue; address pool; address tokenIn; address tokenOut; uint256 key; uint256 share; }',
])

/**
 * What the owner of the input signs for the quote's swap, with any signer of EIP-712 data. The signature pays for this
 * swap alone: it binds the route, the recipient, the minimum, the amount and the deadline. Nobody needs to be trusted
 * with it, and anybody may send it.
 *
 * @throws IntegrityError where the quote is not what was asked; InvalidParameterError where it is not of 2.0.0.
 */
export function getPermit2TypedData(parameters: Permit2Parameters) {
  return typedDataOf(readSwap(parameters), parameters)
}

function typedDataOf(
  swap: VerifiedTransaction,
  { nonce = randomNonce(), quote }: Permit2Parameters,
) {
  const { amountIn, deadline, minOut, recipient, route, to, tokenIn } = swap
  const routeHash = keccak256(encodeAbiParameters(routeParameters, [route]))
  return {
    domain: { name: 'Permit2', chainId: quote.chainId, verifyingContract: permit2Address },
    types,
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
 * @throws IntegrityError where the quote is not what was asked; InvalidParameterError where it is not of 2.0.0.
 */
export function encodePermit2(
  parameters: VerifyOptions & { permit: Permit2Signature },
): SwapTransaction {
  const { amountIn, deadline, minOut, recipient, route, to } = readSwap(parameters)
  const data = encodeFunctionData({
    abi: routerV2Abi,
    functionName: 'swapExactInWithPermit2',
    args: [route, { amountIn, minOut, recipient, deadline }, parameters.permit],
  })
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
    /** Whose tokens are sold. @default the client's */
    account?: Account | Address | undefined
  },
): Promise<{ permit: Permit2Signature; transaction: SwapTransaction }> {
  const account = parseAccount(parameters.account ?? client.account!)
  const typedData = getPermit2TypedData(parameters)
  const signature = await signTypedData(client, { account, ...typedData })
  const permit = { owner: account.address, nonce: typedData.message.nonce, signature }
  return { permit, transaction: encodePermit2({ ...parameters, permit }) }
}

function randomNonce(): bigint {
  return BigInt(bytesToHex(crypto.getRandomValues(new Uint8Array(32))))
}
