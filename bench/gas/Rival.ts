import type { Address, Hex } from 'viem'
import type { Column } from './columns.js'

/** What is asked of each router, beside the trade. */
export type Terms = {
  /** Least net output, in base units. */
  minOut: bigint
  recipient: Address
  feeRecipient: Address
  deadline: bigint
}

/** A router of others, as it is deployed on the chain of the bench. */
export type Rival = {
  name: 'ur' | 'sr02'
  address: Address
  /** Transactions by which a trader lets it spend a token. */
  approvals(token: Address): readonly { to: Address; data: Hex }[]
  /** Calldata of the trade with the fee paid in the swap; `undefined` if the router lacks the venue. */
  encode(column: Column, terms: Terms): Hex | undefined
}

/** The fee, as every router is asked to take it from the output. */
export const feeBps = 28n
