import type { Address, Hex } from 'viem'
import type { Block } from '../heads/Head.js'
import type { RepeatableCall } from '../lens/askLens.js'
import type { Tax } from './measureTax.js'

/** `unknown` means that something could not be read; it is not a verdict. */
export type XrayVerdict = 'real' | 'phantom' | 'unknown'

/** One token of a pool: its reported reserve and its balance on chain. */
export type XraySide = {
  readonly token: Address
  /** In whole tokens. */
  readonly reported: number | undefined
  /** In base units. */
  readonly balance: bigint | undefined
  readonly decimals: number | undefined
  /** Balance relative to the report, in basis points of the report; negative if it is lower. */
  readonly deltaBps: number | undefined
  /** The call that reads this balance. */
  readonly call: { readonly to: Address; readonly data: Hex } | undefined
}

/** A pool's reported reserves, compared with the chain. */
export type XrayPool = {
  readonly pair: Hex
  readonly dex: string | undefined
  /** The balance of a pool that shares a contract with others cannot be read. */
  readonly method: 'balanceOf' | 'unsupported_singleton'
  readonly base: XraySide
  readonly quote: XraySide
  /** At the prices of the market data source. */
  readonly reportedUsd: number | undefined
  readonly onchainUsd: number | undefined
  readonly phantomUsd: number | undefined
  /** Share of the report that does not exist on chain. */
  readonly phantomBps: number | undefined
  readonly verdict: XrayVerdict
}

/** Sums over the pools that could be compared. */
export type XraySummary = {
  readonly pools: number
  readonly compared: number
  readonly reportedUsd: number | undefined
  readonly onchainUsd: number | undefined
  readonly phantomUsd: number | undefined
  readonly phantomBps: number | undefined
  readonly verdict: XrayVerdict
}

/** Comparison of a token's reported pools with the chain. */
export type Xray = {
  readonly chainId: number
  readonly token: Address
  /** Name of the market data source. */
  readonly source: string
  readonly block: Block
  readonly summary: XraySummary
  readonly pools: readonly XrayPool[]
  readonly tax: Tax
  /** The single call that read everything. */
  readonly call: RepeatableCall
  /** Unix milliseconds. */
  readonly readAt: number
}
