import { type Address, encodeAbiParameters, type Hex, keccak256 } from 'viem'
import type { Route } from '../plan/Plan.js'
import type { Signature } from '../request/QuoteRequest.js'
import type * as SwapCall from './SwapCall.js'
import { permit2Address } from './SwapWay.js'

/** EIP-712 data in JSON form, ready for `eth_signTypedData_v4`. */
export type TypedData = {
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

/** Typed data that the owner of the input signs, and the terms of the swap that it pays for. */
export type Permit = SwapCall.Terms & {
  readonly kind: Signature
  readonly owner: Address
  /** Whether Permit2 lets the owner's code check the signature (EIP-1271). Unset if that is not known. */
  readonly ownerHasCode?: true | undefined
  readonly nonce: bigint
  readonly typedData: TypedData
}

/** EIP-712 domain of a token. */
export type TokenDomain = { readonly name: string; readonly version?: string | undefined }

const domainTypes = {
  name: { name: 'name', type: 'string' },
  version: { name: 'version', type: 'string' },
  chainId: { name: 'chainId', type: 'uint256' },
  verifyingContract: { name: 'verifyingContract', type: 'address' },
} as const

const permitTypes = [
  { name: 'owner', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
] as const

/** EIP-712 types of a Permit2 transfer with the swap as its witness. */
export const permit2Types = {
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

/** The same for a swap of which an integrator takes a part, which the owner signs too. */
const feeTypes = {
  ...permit2Types,
  SwapWitness: [
    ...permit2Types.SwapWitness,
    { name: 'integrator', type: 'address' },
    { name: 'integratorFeeBps', type: 'uint256' },
  ],
} as const

/** EIP-712 types for the terms of a swap. */
export function permit2TypesOf({
  integratorFee,
}: Pick<SwapCall.Terms, 'integratorFee'>): typeof permit2Types | typeof feeTypes {
  return integratorFee === undefined ? permit2Types : feeTypes
}

/** The witness of a swap, which Permit2 hashes into what the owner signs. */
export function witnessOf(route: Route, { integratorFee, minOut, recipient }: SwapCall.Terms) {
  return {
    routeHash: routeHashOf(route),
    recipient,
    minOut,
    ...(integratorFee !== undefined && {
      integrator: integratorFee.integrator,
      integratorFeeBps: BigInt(integratorFee.bps),
    }),
  }
}

/** Written out, because a parser of Solidity's text is most of what a small program would load for it. */
const routeParameters = [
  {
    name: 'route',
    type: 'tuple',
    components: [
      { name: 'tokenIn', type: 'address' },
      { name: 'tokenOut', type: 'address' },
      { name: 'amountIn', type: 'uint256' },
      { name: 'grossOut', type: 'uint256' },
      { name: 'impactBps', type: 'uint256' },
      {
        name: 'legs',
        type: 'tuple[]',
        components: [
          { name: 'venue', type: 'uint16' },
          { name: 'pool', type: 'address' },
          { name: 'tokenIn', type: 'address' },
          { name: 'tokenOut', type: 'address' },
          { name: 'key', type: 'uint256' },
          { name: 'share', type: 'uint256' },
        ],
      },
    ],
  },
] as const

const nonceParameters = [
  { type: 'address' },
  { type: 'address' },
  { type: 'uint256' },
  { type: 'bytes32' },
  { type: 'address' },
  { type: 'uint256' },
  { type: 'uint256' },
] as const

/** Hash of a route, as the Router computes it for the witness. */
export function routeHashOf(route: Route): Hex {
  return keccak256(encodeAbiParameters(routeParameters, [route]))
}

/** The swap to sign, and its parties. */
export type Parameters = {
  chainId: number
  router: Address
  owner: Address
  route: Route
  terms: SwapCall.Terms
}

/**
 * Permit2 data that pays for this one swap. The nonce is a hash of the swap, so that the same swap signed twice can be
 * executed only once.
 */
export function ofPermit2(parameters: Parameters): Permit {
  const { chainId, owner, route, router, terms } = parameters
  const witness = witnessOf(route, terms)
  const { deadline, minOut, recipient } = terms
  const nonce = BigInt(
    keccak256(
      encodeAbiParameters(nonceParameters, [
        ...([owner, router, BigInt(chainId), witness.routeHash] as const),
        ...([recipient, minOut, deadline] as const),
      ]),
    ),
  )
  const { chainId: id, name, verifyingContract } = domainTypes
  const typedData = {
    domain: { name: 'Permit2', chainId, verifyingContract: permit2Address },
    types: { EIP712Domain: [name, id, verifyingContract], ...permit2TypesOf(terms) },
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      permitted: { token: route.tokenIn, amount: route.amountIn.toString() },
      spender: router,
      nonce: nonce.toString(),
      deadline: deadline.toString(),
      witness: Object.fromEntries(
        Object.entries(witness).map(([name, value]) => [name, value.toString()]),
      ),
    },
  }
  return { kind: 'permit2', owner, nonce, typedData, ...terms }
}

/** Permit of the token (EIP-2612) that allows the Router to take the input. */
export function ofToken(parameters: Parameters & { nonce: bigint; domain: TokenDomain }): Permit {
  const { chainId, domain, nonce, owner, route, router, terms } = parameters
  const { version } = domain
  const { chainId: id, name, verifyingContract, version: versionType } = domainTypes
  const typedData = {
    domain: {
      name: domain.name,
      ...(version !== undefined && { version }),
      chainId,
      verifyingContract: route.tokenIn,
    },
    types: {
      EIP712Domain:
        version === undefined
          ? [name, id, verifyingContract]
          : [name, versionType, id, verifyingContract],
      Permit: permitTypes,
    },
    primaryType: 'Permit',
    message: {
      owner,
      spender: router,
      value: route.amountIn.toString(),
      nonce: nonce.toString(),
      deadline: terms.deadline.toString(),
    },
  }
  return { kind: 'permit', owner, nonce, typedData, ...terms }
}
