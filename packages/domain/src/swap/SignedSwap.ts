import { swapsAbi } from '@sluice/abi'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  numberToHex,
  recoverTypedDataAddress,
  serializeSignature,
  size,
  slice,
} from 'viem'
import type { Route } from '../plan/Plan.js'
import * as Addresses from '../values/Addresses.js'
import { BaseError } from '../values/Errors.js'
import type * as Permits from './Permits.js'
import * as SwapCall from './SwapCall.js'

/**
 * Calldata of the swap with its signature. Checks that the signature of a plain account is the owner's. The signature of an
 * account with code can only be checked on chain, whatever its length.
 *
 * @throws BadSignatureError if the signature is invalid.
 */
export async function complete(route: Route, permit: Permits.Permit, signature: Hex): Promise<Hex> {
  const { owner, typedData } = permit
  const data = encode(route, permit, signature)
  const isForCode = permit.kind === 'permit2' && permit.ownerHasCode === true
  if (isForCode || !isPlain(signature)) return data
  const signer = await recover(typedData, signature)
  if (signer === undefined || !Addresses.equal(signer, owner))
    throw new BadSignatureError('is not the signature of `permit.typedData` by `permit.owner`')
  return data
}

/** Recovers the signer. Accepts signatures of 64 bytes (EIP-2098), and of old wallets with `v` 0 or 1. */
async function recover(typedData: Permits.TypedData, signature: Hex): Promise<Address | undefined> {
  try {
    const whole = serializeSignature(partsOf(signature))
    return await recoverTypedDataAddress({ ...typedData, signature: whole } as never)
  } catch {
    return undefined
  }
}

/**
 * Calldata of the swap with its signature, whoever signed: for programs that carry no cryptography and run the swap on a node
 * before they send it.
 *
 * @throws BadSignatureError if a token permit has no signature of a plain account.
 */
export function encode(route: Route, permit: Permits.Permit, signature: Hex): Hex {
  const { deadline, integratorFee, kind, minOut, nonce, owner, recipient } = permit
  const terms = { minOut, recipient, deadline, integratorFee }
  if (kind === 'permit2') return encodePermit2(route, terms, { owner, nonce, signature })
  if (!isPlain(signature))
    throw new BadSignatureError('is not 64 or 65 bytes long, which a token permit requires')
  const { r, s, yParity } = partsOf(signature)
  return encodePermit(route, terms, { v: 27 + yParity, r, s })
}

/** EIP-2098 keeps the parity in the first bit of `s`. */
const topBit = 1n << 255n

/** Whether it can be the signature of a plain account. */
function isPlain(signature: Hex): boolean {
  return size(signature) === 65 || size(signature) === 64
}

/** Splits a signature of 65 bytes, of old wallets with `v` 0 or 1 too, or of 64 bytes (EIP-2098). */
function partsOf(signature: Hex): { r: Hex; s: Hex; yParity: number } {
  const [r, s] = [slice(signature, 0, 32), slice(signature, 32, 64)]
  if (size(signature) === 64) {
    const isOdd = BigInt(s) >= topBit
    const value = isOdd ? BigInt(s) - topBit : BigInt(s)
    return { r, s: numberToHex(value, { size: 32 }), yParity: isOdd ? 1 : 0 }
  }
  const v = Number(slice(signature, 64))
  const yParity = v >= 27 ? v - 27 : v
  if (yParity > 1) throw new BadSignatureError('ends with a byte other than 0, 1, 27 or 28')
  return { r, s, yParity }
}

/** Calldata of a swap that a token permit (EIP-2612) pays for. The signer must send it. */
export function encodePermit(
  route: Route,
  terms: SwapCall.Terms,
  signature: { v: number; r: Hex; s: Hex },
): Hex {
  const data = encodeFunctionData({
    abi: swapsAbi,
    functionName: 'swapExactInWithPermit',
    args: [route, signedTerms(route, terms), signature],
  })
  return SwapCall.withFee(data, terms.integratorFee)
}

/** Calldata of a swap that a Permit2 signature pays for. Anyone may send it. */
export function encodePermit2(
  route: Route,
  terms: SwapCall.Terms,
  signed: { owner: Address; nonce: bigint; signature: Hex },
): Hex {
  const data = encodeFunctionData({
    abi: swapsAbi,
    functionName: 'swapExactInWithPermit2',
    args: [route, signedTerms(route, terms), signed],
  })
  return SwapCall.withFee(data, terms.integratorFee)
}

function signedTerms({ amountIn }: Route, { deadline, minOut, recipient }: SwapCall.Terms) {
  return { amountIn, minOut, recipient, deadline }
}

/** Thrown if a signature does not pay for the swap. */
export class BadSignatureError extends BaseError {
  override readonly name = 'SignedSwap.BadSignatureError'
  constructor(reason: string) {
    super(`\`signature\` ${reason}; sign \`permit.typedData\` of the quote again.`, {
      code: 'bad_request',
    })
  }
}
