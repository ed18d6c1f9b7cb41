import type { QuoteRequest, Registry, Solvency } from '@sluice/domain'
import type { Budget } from '@sluice/rpc'
import type { Address, Hex } from 'viem'
import type { Reports, ReportsConfig } from './createReports.js'
import type { NodeTimes, QuoteAnswer, Settled } from './quotes/getQuotes.js'
import type { AttemptReport, FailureReport } from './quotes/PlanAnswer.js'
import type { SolvencyAnswer } from './solvency/createSolvency.js'
import type { Shared } from './support/Shared.js'
import type { SwapIndexConfig } from './swaps/createSwapIndex.js'
import type { SwapProgress } from './swaps/Progress.js'
import type { SwapStats } from './swaps/SwapStats.js'

/** State of one chain, for health checks. */
export type ChainHealth = {
  readonly chainId: number
  readonly name: string
  /** Whether the registry has a Router and a Quoter on the chain. */
  readonly live: boolean
  /** Whether a node has shown their code since the start. */
  readonly probed: boolean
  readonly head: bigint | undefined
  /** Milliseconds since that head was confirmed. */
  readonly headAgeMs: number | undefined
  /** Pools whose depth is known, once the index of pools has caught up. */
  readonly poolsIndexed: number | undefined
  /** Why no quote can be made there, whoever is asked. */
  readonly problem: ChainProblem | undefined
}

/** `no_cancun`: the nodes lack opcodes that the contracts need. `wrong_chain`: every node serves another chain. */
export type ChainProblem = 'no_cancun' | 'wrong_chain'

/** Quotes on all served chains; the one place that talks to nodes. */
export type Engine = Reports & {
  /** @throws QuoteError, or the signal's reason if it aborts. */
  quote: (request: QuoteRequest.QuoteRequest, options?: EngineCallOptions) => Promise<QuoteAnswer>
  /** Quotes of one HTTP request: those of one chain are of one block. In the order of the requests. */
  quoteMany: (
    requests: readonly QuoteRequest.QuoteRequest[],
    options?: EngineCallOptions,
  ) => Promise<readonly Settled<QuoteAnswer>[]>
  /** Connector hints that a trade is worth asking with, from memory alone; none without an index of pools. */
  hintsFor: (request: QuoteRequest.QuoteRequest) => readonly Address[]
  /** How a Staking contract stands; shared by all who ask within a few seconds, and never throws for what nodes do. */
  solvency: (target: Solvency.Target) => Promise<SolvencyAnswer>
  /** Hash of the chain's latest block if that is known without asking. */
  latestHash: (chainId: number) => Hex | undefined
  /** Whether the head of some chain is the latest; asks nodes if that is not known. */
  isReady: () => Promise<boolean>
  /** Every node by the operator's label, from memory alone. */
  nodes: () => readonly NodeHealth[]
  /** From memory alone. */
  health: () => readonly ChainHealth[]
  /** What was swapped, from the index alone: no node is asked. */
  stats: () => Promise<SwapStats>
  /** How far the index is on the chains that this process reads, from memory alone. */
  indexing: () => readonly SwapProgress[]
  /** Looks at the nodes now and then; without it everything works but `probed`. */
  startProbing: () => void
  stop: () => Promise<void>
}

/** How a node fares. */
export type NodeHealth = {
  readonly label: string
  readonly isDemoted: boolean
  /** It was seen to serve another chain, and is not asked before it serves the right one. */
  readonly isExcluded: boolean
  /** Blocks that its last header was behind the chain's head, or before it if negative; unknown while it is silent. */
  readonly headLag: number | undefined
}

/** Who asks, and how much may be spent on it. */
export type EngineCallOptions = {
  signal?: AbortSignal | undefined
  /** Who asks, so that nobody has all the flights of a chain; without it nobody in particular. */
  caller?: string | undefined
  /** What is sent to nodes is taken from it. @default one for each chain */
  budget?: Budget | undefined
}

/** Chains, nodes, indexes and limits of an engine. */
export type EngineConfig = Omit<ReportsConfig, 'now'> & {
  readonly registry: Registry.Registry
  /** Addresses of nodes by chain id, best first. */
  readonly rpcUrls: ReadonlyMap<number, readonly string[]>
  /** How long a header counts as the latest, in milliseconds; never longer than half a block. */
  readonly headFreshMs: number
  /**
   * How old the latest block may be: milliseconds, `off`, or `auto`: three blocks and at least 15 s (60 s if blocks
   * take longer than 5 s). A devnet makes blocks on demand, which takes `off`.
   */
  readonly maxBlockAge: number | 'auto' | 'off'
  /**
   * File of the index of pools, from which connector hints are proposed; `:memory:` builds it anew at each start. Unset:
   * quotes carry the hints of their callers alone.
   */
  readonly poolIndex?: string | undefined
  /** The index of swaps, and the chains that it tells of; unset tells of none. */
  readonly swapIndex?: SwapIndexConfig | undefined
  /** For development nodes that are slow because they trace every call. @default 2,300 and 5,800 */
  readonly nodeTimes?: NodeTimes | undefined
  /** Unix milliseconds. */
  readonly now: () => number
  readonly onFailure?: ((report: FailureReport) => void) | undefined
  readonly onHedge?: ((report: { upstream: string }) => void) | undefined
  readonly onAttempt?: ((report: AttemptReport) => void) | undefined
  /** Told when the probes find that no quote can be made on a chain, and what stands in the way. */
  readonly onProblem?: ((report: { chainId: number; problem: ChainProblem }) => void) | undefined
  /** Quotes of one chain that nodes are asked for at a time, identical ones counting once. @default 32 */
  readonly maxFlights?: number | undefined
  /** What several processes share. */
  readonly shared?: Shared | undefined
}
