import type { Address, Hex } from 'viem'

/** A block as hindsight reads it: its transactions, each with its logs. */
export type Block = {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
  /** Unix seconds. */
  readonly timestamp: number
  readonly transactions: readonly Transaction[]
}

/** What a plan's witness is compared with. */
export type Header = Pick<Block, 'number' | 'parentHash' | 'timestamp'>

/** A transaction with the logs that it wrote. One that failed wrote none. */
export type Transaction = {
  readonly hash: Hex
  readonly from: Address
  /** `undefined` if it created a contract. */
  readonly to: Address | undefined
  /** Native coin that it sent, in wei. */
  readonly value: bigint
  /** What it paid for a unit of gas, in wei. */
  readonly gasPrice: bigint
  readonly logs: readonly ChainLog[]
}

/** A log, its address with checksum. */
export type ChainLog = {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
}
