import type { Address, Hex } from 'viem'
import type { Override } from '../Bench.js'

/** A swap of another router that paid more than Sluice, with all state that our quote read, so that it can be quoted again offline. */
export type QuoteRecording = {
  readonly schema: 1
  /** Tells it from a recording of a swap on one pool. */
  readonly kind: 'quote'
  readonly chainId: number
  /** The block before that of the swap. */
  readonly blockNumber: number
  /** Of that block, in unix seconds. */
  readonly timestamp: number
  readonly configFile: unknown
  readonly transaction: Hex
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Decimal strings, as in JSON. */
  readonly amountIn: string
  readonly gasPrice: string
  readonly connectors: readonly Address[]
  readonly pools: readonly Hex[]
  /** What the other router paid. */
  readonly amountOut: string
  /** What Sluice would have paid, before its fee. */
  readonly grossOut: string
  /** Code, balances and storage, as a state override. */
  readonly state: Override
}
