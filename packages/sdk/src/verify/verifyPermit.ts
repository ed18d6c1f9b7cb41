import { Addresses, Permits, SignedSwap } from '@sluice/domain'
import type { Route } from '../amounts.js'
import type { Address, Hex } from '../wire.js'
import { demand } from './demand.js'
import { demandTerms, readAsked, type VerifyOptions } from './verifyTransaction.js'

/** A permit to sign, and the swap that it pays for. */
export type VerifiedPermit = {
  readonly kind: 'permit' | 'permit2'
  readonly owner: Address
  readonly nonce: bigint
  /** EIP-712 data to sign. */
  readonly typedData: {
    readonly domain: {
      readonly name: string
      readonly version?: string | undefined
      readonly chainId: number
      readonly verifyingContract: Address
    }
    readonly types: Readonly<
      Record<string, readonly { readonly name: string; readonly type: string }[]>
    >
    readonly primaryType: string
    readonly message: Readonly<Record<string, unknown>>
  }
  /** Minimum that the recipient is paid, in base units. */
  readonly minOut: bigint
  readonly recipient: Address
  /** Expiry of signature and swap, in unix seconds. */
  readonly deadline: bigint
  /** Who takes a part of the output, and its basis points. */
  readonly integratorFee?: { readonly integrator: Address; readonly bps: number } | undefined
  /** The Router that takes the input. */
  readonly to: Address
  readonly route: Route
}

/**
 * Compares the permit of a quote with the request and the quote, and builds its typed data anew. Call it before you sign, and
 * sign the `typedData` that it returns.
 *
 * The nonce of a token permit and the name and version in the token's domain are the quote's. A wrong one makes the signature
 * worthless to everybody.
 *
 * @throws IntegrityError with the field that differs; InvalidParameterError if the request itself is invalid.
 */
export function verifyPermit(options: VerifyOptions): VerifiedPermit {
  const asked = readAsked(options)
  const { chain, recipient, sender, signature } = asked
  const { permit: given, route } = options.quote
  demand(
    signature !== undefined && given?.kind === signature,
    'kind',
    'The quote has no permit of the kind that was requested',
  )
  const { deadline, minOut, nonce, owner, typedData } = given
  demand(
    sender !== undefined && Addresses.equal(owner, sender),
    'owner',
    'The permit is not of the sender',
  )
  const said = { amountIn: route.amountIn, minOut, recipient: given.recipient, deadline, route }
  demandTerms(said, asked, options)
  const { chainId, contracts } = chain
  const { integratorFee } = asked
  const terms = { minOut, recipient, deadline, ...(integratorFee && { integratorFee }) }
  const swap = { chainId, router: contracts.router, owner: sender, route, terms }
  const { name, version } = typedData.domain
  const permit =
    signature === 'permit2'
      ? Permits.ofPermit2(swap)
      : Permits.ofToken({ ...swap, nonce, domain: { name, version } })
  return { ...permit, to: contracts.router, route }
}

/**
 * Returns the swap that a signed permit pays for. Does not check who signed: run it on a node before you send it.
 *
 * @throws BadSignatureError if a token permit has no signature of a plain account.
 */
export function encodeSigned(
  permit: VerifiedPermit,
  signature: Hex,
): { to: Address; data: Hex; value: bigint } {
  return { to: permit.to, data: SignedSwap.encode(permit.route, permit, signature), value: 0n }
}
