import { creationCall, deterministicDeployer } from '@sluice/deploy'
import type { Address, Hex } from 'viem'
import type { ChainSpec, TokenSpec } from '../chains.js'
import { rounded } from '../liquidity.js'
import { unitUsd } from '../market.js'
import type { Transaction } from '../transactions.js'

/**
 * A venue whose code no package has. The devnet has contracts with its interface, written from its documentation; the contract tests
 * use the same ones.
 */
export type Imitation = {
  /** Id of the venue in chain configs. */
  readonly id: string
  /** Returns the address of what the adapter asks for pools. */
  readonly registry: () => Address
  readonly open: (chain: ChainSpec, account: Address) => OpenedPools
}

/** Transactions that create a venue and its pools, in order, and the pools: addresses, or what pool hints say of them. */
export type OpenedPools = {
  readonly pools: readonly Hex[]
  readonly transactions: readonly Transaction[]
}

/** Creates a contract at its address of the deterministic deployer. */
export function create(account: Address, code: Hex): Transaction {
  return { from: account, to: deterministicDeployer, data: creationCall(code) }
}

/** Returns a token of a chain, which must have it. */
export function tokenOf({ tokens }: ChainSpec, symbol: string): TokenSpec {
  return tokens.find((token) => token.symbol === symbol)!
}

/** Base units of a token for an amount in US dollars. */
export function worth(usd: number, token: TokenSpec): bigint {
  return rounded(usd / unitUsd(token))
}
