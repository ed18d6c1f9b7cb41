import type { Address, Hex } from 'viem'
import type { Block } from '../heads/Head.js'
import type { RepeatableCall } from '../lens/askLens.js'
import type { Tax } from './measureTax.js'

/** `unknown` means that something could not be read; it is no verdict. */
export type XrayVerdict = 'real' | 'phantom' | 'unknown'

/** One token of a pool: what is reported of it, and what the chain says. */
export type XraySide = {
  readonly token: Address
  /** Whole tokens. */
  readonly reported: number | undefined
  /** Base units. */
  readonly balance: bigint | undefined
  readonly decimals: number | undefined
  /** Of the balance above the report, in basis points of the report; below it, negative. */
  readonly deltaBps: number | undefined
  /** The read, for whoever wants to repeat this one alone. */
  readonly call: { readonly to: Address; readonly data: Hex } | undefined
}

/** A pool's reported reserves, compared with the chain. */
export type XrayPool = {
  readonly pair: Hex
  readonly dex: string | undefined
  /** A pool among others in one contract has no balance of its own to ask for. */
  readonly method: 'balanceOf' | 'unsupported_singleton'
  readonly base: XraySide
  readonly quote: XraySide
  /** At the source's own prices. */
  readonly reportedUsd: number | undefined
  readonly onchainUsd: number | undefined
  readonly phantomUsd: number | undefined
  /** Part of the report that is not there. */
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

/** What is reported of a token's pools against what they hold. */
export type Xray = {
  readonly chainId: number
  readonly token: Address
  /** Whose report it is. */
  readonly source: string
  readonly block: Block
  readonly summary: XraySummary
  readonly pools: readonly XrayPool[]
  readonly tax: Tax
  /** The one call with which everything was read. */
  readonly call: RepeatableCall
  /** Unix milliseconds. */
  readonly readAt: number
}
