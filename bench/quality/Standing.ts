import type { Rpc } from '@sluice/deploy'
import type { Deployments } from '@sluice/domain'
import type { PoolStore } from '@sluice/engine'
import type { Address } from 'viem'
import type { Market } from '../optimizer/Market.js'
import type { OracleMarket } from '../optimizer/Oracle.js'

/** A market that stands on a node, with the protocol beside it. */
export type Standing = {
  market: Market
  rpc: Rpc
  /** Address of the node. */
  url: string
  deployments: Deployments.Deployments
  contracts: { finder: Address; hub: Address; pricer: Address; quoter: Address }
  /** Address in the market to address on the node. */
  tokens: Readonly<Record<string, Address>>
  /** Addresses in the market of the chain's connector tokens. */
  connectors: readonly string[]
  /** A pool on the node by its id in the market: its contract, and its key if one contract has many pools. */
  pools: ReadonlyMap<string, { address: Address; key?: bigint | undefined }>
  /** Every pool of the market that a factory announced, as the engine reads it. */
  store: PoolStore
  /** Tokens of each pool that the Hub lists. */
  listed: readonly (readonly Address[])[]
  /** The oracle's view of the pools between some tokens; of all pools if none are named. */
  open(tokens?: ReadonlySet<string>): OracleMarket
  stop(): Promise<void>
}

/** Of the development node. */
export const chainId = 31_337

/** The wrapped native token, by its address in the market. */
export function nativeOf({ tokens }: Market): string {
  return Object.keys(tokens).find((token) => tokens[token]!.symbol === 'WETH')!
}
