import type { Rpc } from '@sluice/deploy'
import type { Deployments } from '@sluice/domain'
import type { PoolStore } from '@sluice/engine'
import type { Address } from 'viem'
import type { Market } from '../optimizer/Market.js'
import type { OracleMarket } from '../optimizer/Oracle.js'

/** A market on a running node, with the deployed protocol. */
export type Standing = {
  market: Market
  rpc: Rpc
  /** URL of the node. */
  url: string
  deployments: Deployments.Deployments
  contracts: { finder: Address; hub: Address; pricer: Address; quoter: Address }
  /** Maps the market's token addresses to addresses on the node. */
  tokens: Readonly<Record<string, Address>>
  /** The chain's connector tokens, by their addresses in the market. */
  connectors: readonly string[]
  /** Pools on the node by their id in the market: the contract, and the key if one contract has many pools. */
  pools: ReadonlyMap<string, { address: Address; key?: bigint | undefined }>
  /** Every pool of the market that a factory announced, as the engine's pool index returns it. */
  store: PoolStore
  /** Tokens of each pool that the Hub lists. */
  listed: readonly (readonly Address[])[]
  /** Opens the oracle on the pools between some tokens. @default all pools */
  open(tokens?: ReadonlySet<string>): OracleMarket
  stop(): Promise<void>
}

/** Chain id of the development node. */
export const chainId = 31_337

/** Returns the address of the wrapped native token in the market. */
export function nativeOf({ tokens }: Market): string {
  return Object.keys(tokens).find((token) => tokens[token]!.symbol === 'WETH')!
}
