import type { Address } from 'viem'
import type { Token } from '../chains/Tokens.js'
import type { ServedChain } from '../registry/ServedChain.js'
import * as Addresses from '../values/Addresses.js'

/** Seconds that a transaction is valid by default. */
export const defaultDeadlineSec = 120
/** Seconds that a caller may ask for, both ends included. */
export const deadlineSecRange = { min: 10, max: 3_600 } as const
/** More intermediate tokens that a caller may name. */
export const maxConnectors = 4

/** A quote's parameters, resolved against the chain. */
export type QuoteRequest = {
  readonly chain: ServedChain
  readonly tokenIn: Token
  readonly tokenOut: Token
  /** In base units of `tokenIn`. */
  readonly amountIn: bigint
  readonly recipient: Address | undefined
  /** Without it the protocol's floor is the minimum. */
  readonly slippageBps: number | undefined
  /** Seconds from the moment when the calldata is built in which the swap may happen. */
  readonly deadlineSec: number
  /** Execution grade: `previewPlanExact`. */
  readonly isExact: boolean
  /** Wei for a unit of gas; zero leaves gas out of the search. */
  readonly gasPrice: bigint
  /** Nobody named a gas price: the one that the chain's nodes report counts if they are asked. */
  readonly takesNodePrice?: true | undefined
  readonly connectors: readonly Address[]
  /** Two hosts must give the same answer, byte for byte. */
  readonly verify?: 2 | undefined
  /** Who sells and sends; what they lack before the swap is looked at. */
  readonly sender?: Address | undefined
  /** What stands in for the sender's allowance. */
  readonly signature?: Signature | undefined
}

/** Signatures that pay for a swap: the token's own approval (EIP-2612), or one for Permit2. */
export const signatures = ['permit', 'permit2'] as const
export type Signature = (typeof signatures)[number]

/**
 * Why nobody may be paid at `recipient`: the Router would refuse it, or what is paid there belongs to nobody any more.
 * `undefined` if it is fine.
 */
export function recipientProblem(parameters: recipientProblem.Parameters): string | undefined {
  const { chain, recipient, tokenIn, tokenOut } = parameters
  if (Addresses.equal(recipient, Addresses.zero)) return 'is the zero address'
  if (Addresses.equal(recipient, chain.contracts.router)) return 'is the Router itself'
  if (isOfProtocol(chain, recipient))
    return 'is a contract of the protocol, where the output would be lost'
  const isToken = [tokenIn, tokenOut].some(
    (token) => token !== undefined && Addresses.equal(recipient, token.address),
  )
  return isToken ? 'is one of the two tokens, where the output would be lost' : undefined
}

function isOfProtocol({ contracts, versions }: ServedChain, address: Address): boolean {
  return [contracts, ...Object.values(versions)].some((each) =>
    Object.values(each).some((contract) => Addresses.equal(contract, address)),
  )
}

export declare namespace recipientProblem {
  type Parameters = {
    chain: ServedChain
    recipient: Address
    tokenIn?: Token | undefined
    tokenOut?: Token | undefined
  }
}
