import type { Address } from 'viem'
import type { Token } from '../chains/Tokens.js'
import type { ServedChain } from '../registry/ServedChain.js'
import type { IntegratorFee } from '../swap/IntegratorFee.js'
import * as Addresses from '../values/Addresses.js'
import type { Overrides } from './Overrides.js'
import type { PoolHint } from './PoolHints.js'

/** Default of `deadlineSec`, in seconds. */
export const defaultDeadlineSec = 120
/** Minimum and maximum of `deadlineSec`, in seconds. */
export const deadlineSecRange = { min: 10, max: 3_600 } as const
/** Maximum number of connector hints in a request. */
export const maxConnectors = 4

/** Parsed parameters of a quote, with the chain and the tokens resolved. */
export type QuoteRequest = {
  readonly chain: ServedChain
  readonly tokenIn: Token
  readonly tokenOut: Token
  /** Base units of `tokenIn`; zero if an output is asked for, because the plan tells it then. */
  readonly amountIn: bigint
  /** Net output that is asked for in place of an input, in base units of `tokenOut`. */
  readonly amountOut?: bigint | undefined
  readonly recipient: Address | undefined
  /**
   * Slippage tolerance in basis points; `undefined` makes the protocol's floor the minimum, or `SoldRoute.defaultSlippageBps`
   * the tolerance if an output is asked for.
   */
  readonly slippageBps: number | undefined
  /** Validity of the swap in seconds, from the moment the calldata is built. */
  readonly deadlineSec: number
  /** Whether the caller requires a dry run (`previewPlanExact`). */
  readonly isExact: boolean
  /** Gas price in wei; with zero, the search ignores gas. */
  readonly gasPrice: bigint
  /** Set if the caller sent no gas price. A live quote then uses the current gas price of the chain. */
  readonly takesNodePrice?: true | undefined
  readonly connectors: readonly Address[]
  /** Numbers of the venues that the route may not use, each once, ascending. @default none */
  readonly excludedVenues?: readonly number[] | undefined
  /** Pools that the venues' adapters look at in addition, each once. @default none */
  readonly pools?: readonly PoolHint[] | undefined
  /** Changes to the chain's state that the quote is computed on. @default none: the state of the chain */
  readonly overrides?: Overrides | undefined
  /** Set if two hosts must give the same response, byte for byte. */
  readonly verify?: 2 | undefined
  /** Set if the caller wants to know what the amounts are worth in US dollars. */
  readonly inUsd?: true | undefined
  /** Set if the caller wants to know what else was looked at, and what it would deliver. */
  readonly isExplained?: true | undefined
  /** Account that sells the input and sends the transaction. The quote then says what it lacks. */
  readonly sender?: Address | undefined
  /** Kind of signature that replaces the sender's allowance to the Router. */
  readonly signature?: Signature | undefined
  /** Who takes a part of the output, and how much. */
  readonly integratorFee?: IntegratorFee | undefined
}

/** Whether tokens or pools are named for the route. If the caller names any, nothing else is proposed. */
export function hasHints({ connectors, pools = [] }: QuoteRequest): boolean {
  return connectors.length + pools.length > 0
}

/** Kinds of signatures that pay for a swap: the token's own permit (EIP-2612), or one for the Permit2 contract. */
export const signatures = ['permit', 'permit2'] as const
export type Signature = (typeof signatures)[number]

/**
 * Why `recipient` cannot be paid: the Router would reject it, or the tokens would be lost there. `undefined` if it can be
 * paid.
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

/** Contracts of the protocol in lower case, by chain: every request with a recipient asks. */
const protocols = new WeakMap<ServedChain, ReadonlySet<string>>()

function isOfProtocol(chain: ServedChain, address: Address): boolean {
  let own = protocols.get(chain)
  if (own === undefined) {
    const all = [chain.contracts, ...Object.values(chain.versions)].flatMap((contracts) =>
      Object.values(contracts),
    )
    own = new Set(all.map((contract) => contract.toLowerCase()))
    protocols.set(chain, own)
  }
  return own.has(address.toLowerCase())
}

export declare namespace recipientProblem {
  type Parameters = {
    chain: ServedChain
    recipient: Address
    tokenIn?: Token | undefined
    tokenOut?: Token | undefined
  }
}
