import type { Address } from 'viem'
import type { Override } from './Bench.js'

/** A swap with all state that it and its price read, so that it can be repeated without a node of the chain. */
export type Recording = {
  readonly schema: 1
  readonly chainId: number
  readonly blockNumber: number
  /** Of the block, in unix seconds. */
  readonly timestamp: number
  /** Config file of the chain, with the venue of the pool alone. */
  readonly configFile: object
  readonly pool: Address
  /** Decimal strings, as in JSON. */
  readonly key: string
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: string
  /** What the pool paid; zero if the swap failed. */
  readonly amountOut: string
  /** Code, balances and storage, as a state override. */
  readonly state: Override
}
