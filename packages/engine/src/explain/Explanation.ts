import type { FactoryReads, Market, PathSearch } from '@sluice/domain'
import type { Block } from '../heads/Head.js'

/** A route without splitting, and what it would deliver. */
export type Alternative = {
  readonly kind: 'single_pool' | 'single_path'
  readonly swaps: readonly PathSearch.PricedSwap[]
}

/** A swap that was asked for, and what became of it. */
export type Looked = PathSearch.PricedSwap & { readonly verdict: PathSearch.Verdict }

/** What a search had before it, and what other routes would deliver. A part that could not be told is absent. */
export type Explanation = {
  /** Block on which everything was read. */
  readonly block?: Block | undefined
  readonly market?: Market.Market | undefined
  /** At most one of each kind; none of a kind if no such route takes all of the input. */
  readonly alternatives?: readonly Alternative[] | undefined
  /** Swaps in the order in which they were asked for: those of the input token first. */
  readonly looked: readonly Looked[]
  /** Without any route: pools that exist and that the search left out. */
  readonly leftOut?: readonly FactoryReads.LeftOut[] | undefined
  /** What could not be told, in words. */
  readonly unknown: readonly string[]
}
