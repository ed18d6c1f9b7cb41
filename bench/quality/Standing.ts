import type { Rpc } from '@sluice/deploy'
import type { Deployments, PoolHints } from '@sluice/domain'
import type { Address } from 'viem'
import type { Market } from '../optimizer/Market.js'
import type { OracleMarket } from '../optimizer/Oracle.js'

/** How the legs of a plan name a pool. */
export type Place = {
  /** The pool's contract, the contract that keeps many pools, or the adapter that trades on the pool. */
  address: Address
  /** The leg's key, if one contract keeps many pools. */
  key?: bigint | undefined
  /** The pool as a hint, if the leg uses an adapter. The leg's key contains it. */
  hint?: PoolHints.PoolHint | undefined
}

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
  /** Pools on the node by their id in the market. */
  pools: ReadonlyMap<string, Place>
  /** Pools that no contract lists by their pair. Each call names all of them, but for those that measure what the service finds. */
  hinted: readonly PoolHints.PoolHint[]
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
