import type { TokenFacts, UsdPrice } from '@sluice/domain'
import type { Address } from 'viem'
import type { Block } from '../heads/Head.js'

/** A token with its price, or why it has none. */
export type PricedToken = {
  readonly address: Address
  readonly facts: TokenFacts.TokenFacts | undefined
  readonly verdict: UsdPrice.Verdict
  /** Block of the sale; of USDC and of addresses that are no token, none. */
  readonly block: Block | undefined
}
