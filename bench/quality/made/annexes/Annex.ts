import type { Annex, ChainSpec, PoolSpec } from '@sluice/devnet'
import type { PoolHints } from '@sluice/domain'
import type { Pool } from '../../../optimizer/Market.js'
import type { OracleEdge } from '../../../optimizer/Oracle.js'

/** A pool that an adapter trades, and that the devnet's own venues do not have. */
export type AddedPool = {
  id: string
  /** Id of its venue. */
  venue: string
  /** The pool in the keys of legs. It is also the hint that finds the pool if no contract lists it by its pair. */
  pool: PoolHints.PoolHint
  isHinted: boolean
  /** The pool as the oracle sees it. */
  seen: Pool
  /** Its curve in one direction if that is not the oracle's for `seen`; undefined if the pool refuses the direction. */
  curveOf?: (edge: OracleEdge) => OracleEdge['f'] | undefined
}

/** A chain with its usual pools, and with what an annex adds to them. */
export type Annexed = {
  spec: ChainSpec
  pools: readonly PoolSpec[]
  annex?: Annex
  added: readonly AddedPool[]
}
