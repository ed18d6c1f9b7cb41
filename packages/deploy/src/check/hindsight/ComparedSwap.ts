import type { Address, Hex } from 'viem'
import type { OtherSwap } from './findSwaps.js'
import type { Judgment } from './Judgment.js'
import type { Answer } from './quoteSwap.js'
import type { Reason } from './readSwap.js'
import type { Source } from './swapEvents.js'

/** A swap of another router, with what Sluice would have paid for it. */
export type ComparedSwap = Omit<OtherSwap, 'header'> &
  Judgment & {
    readonly blockNumber: number
    /** Of the block before. */
    readonly before: Answer
    /** Of its own block, after all its transactions. */
    readonly after: Answer
    /** Whether one of its tokens taxes transfers; `null` if its balances could not be found. */
    readonly isTaxed: boolean | null
    /** Pools that it used and the config does not reach; looked for if we pay less before our fee. */
    readonly uncovered: readonly Source[]
    /** Tokens and pools that the search was told, beside the config. */
    readonly connectors: readonly Address[]
    readonly pools: readonly Hex[]
  }

/** A transaction that is not compared. */
export type SkippedTransaction = {
  readonly transaction: Hex
  readonly blockNumber: number
  readonly reason: Reason
}
