import type { QuoteRequest, Registry, Solvency, Venues } from '@sluice/domain'
import type { Budget } from '@sluice/rpc'
import type { Hex } from 'viem'
import type { Reports, ReportsConfig } from './createReports.js'
import type { Explain } from './explain/createExplain.js'
import type { Lookups } from './lookups/createLookups.js'
import type { HintSet } from './pools/HintSet.js'
import type { ChainPrices } from './prices/createPrices.js'
import type { NodeTimes, QuoteAnswer, Settled } from './quotes/getQuotes.js'
import type { AttemptReport, FailureReport } from './quotes/PlanAnswer.js'
import type { SolvencyAnswer } from './solvency/createSolvency.js'
import type { Shared } from './support/Shared.js'
import type { SwapIndexConfig } from './swaps/createSwapIndex.js'
import type { SwapProgress } from './swaps/Progress.js'
import type { SwapStats } from './swaps/SwapStats.js'
import type { ChainTokens } from './tokens/createTokens.js'
import type { Source } from './venues/readSources.js'

/** Health of one chain. */
export type ChainHealth = {
  readonly chainId: number
  readonly name: string
  /** Whether the registry has the addresses of a Router and a Quoter. */
  readonly live: boolean
  /** Whether a node has returned their code since the process started. */
  readonly probed: boolean
  readonly head: bigint | undefined
  /** Milliseconds since that head was confirmed. */
  readonly headAgeMs: number | undefined
  /** Number of pools with a known depth; `undefined` until the pool index has caught up. */
  readonly poolsIndexed: number | undefined
  /** Why no node can serve quotes on this chain; `undefined` if there is no such reason. */
  readonly problem: ChainProblem | undefined
}

/** `no_cancun`: the nodes lack opcodes that the contracts need. `wrong_chain`: every node serves another chain. */
export type ChainProblem = 'no_cancun' | 'wrong_chain'

/** Quotes and reports on all served chains. Only the engine talks to nodes. */
export type Engine = Reports &
  Lookups & {
    /** @throws QuoteError, or the signal's reason if it is aborted. */
    quote: (request: QuoteRequest.QuoteRequest, options?: EngineCallOptions) => Promise<QuoteAnswer>
    /** Quotes of one HTTP request, in the order of the requests. All quotes on one chain use the same block. */
    quoteMany: (
      requests: readonly QuoteRequest.QuoteRequest[],
      options?: EngineCallOptions,
    ) => Promise<readonly Settled<QuoteAnswer>[]>
    /** What the search of a quote had before it. Asks a node; never throws, except if it is aborted. */
    explain: Explain
    /** Hints worth adding to a trade. Reads memory only; empty without a pool index. */
    hintsFor: (request: QuoteRequest.QuoteRequest) => HintSet
    /** Venues of a chain by number. Reads memory only; `undefined` before the first reading. */
    venues: (chainId: number) => Venues.Venues | undefined
    /** Venues with the number of pools known. Asks a node at most once a minute; `undefined` if none answers. */
    sources: (chainId: number) => Promise<readonly Source[] | undefined>
    /** Tokens of a served chain. */
    tokens: (chainId: number) => ChainTokens
    /** Prices of a served chain's tokens, by quotes. */
    prices: (chainId: number) => ChainPrices
    /** State of a Staking contract, shared by all callers within a few seconds. Does not throw if nodes fail. */
    solvency: (target: Solvency.Target) => Promise<SolvencyAnswer>
    /** Hash of the chain's latest block; `undefined` if it is not known without asking a node. */
    latestHash: (chainId: number) => Hex | undefined
    /** Whether at least one chain has a fresh head. Asks the nodes of chains whose head is not fresh. */
    isReady: () => Promise<boolean>
    /** Health of every node, by the operator's label. Reads memory only. */
    nodes: () => readonly NodeHealth[]
    /** Health of every chain. Reads memory only. */
    health: () => readonly ChainHealth[]
    /** Swap statistics from the index. Asks no node. */
    stats: () => Promise<SwapStats>
    /** Progress of the swap index on the chains that this process reads. Reads memory only. */
    indexing: () => readonly SwapProgress[]
    /**
     * Starts to probe nodes and to update the indexes in the background. Without it, `probed` stays false and the indexes
     * are not updated.
     */
    startProbing: () => void
    stop: () => Promise<void>
  }

/** Health of one node. */
export type NodeHealth = {
  readonly label: string
  readonly isDemoted: boolean
  /** The node serves another chain. It is not asked until it serves the right one. */
  readonly isExcluded: boolean
  /**
   * Blocks by which the node's last header is behind the chain's head; negative if it is ahead; `undefined` if the node
   * does not answer.
   */
  readonly headLag: number | undefined
}

/** Caller, budget and cancellation of an engine call. */
export type EngineCallOptions = {
  signal?: AbortSignal | undefined
  /** Identifies the caller, so that no caller can take all flights of a chain. @default an anonymous caller */
  caller?: string | undefined
  /** Node requests are charged to this budget. @default one budget for each chain */
  budget?: Budget | undefined
}

/** Chains, nodes, indexes and limits of an engine. */
export type EngineConfig = Omit<ReportsConfig, 'now'> & {
  readonly registry: Registry.Registry
  /** Node URLs by chain id, best first. */
  readonly rpcUrls: ReadonlyMap<number, readonly string[]>
  /** How long a header counts as the latest, in milliseconds; at most half a block time. */
  readonly headFreshMs: number
  /**
   * Maximum age of the latest block: milliseconds, `off`, or `auto` (three blocks and at least 15 s, or at least 60 s
   * if blocks take longer than 5 s). Use `off` for a devnet, which makes blocks on demand.
   */
  readonly maxBlockAge: number | 'auto' | 'off'
  /**
   * Database file of the pool index, which proposes hints. `:memory:` rebuilds it at each start. If unset,
   * quotes use only the hints of their callers.
   */
  readonly poolIndex?: string | undefined
  /** Store of the swap index, and the chains it covers. If unset, there are no statistics. */
  readonly swapIndex?: SwapIndexConfig | undefined
  /**
   * Time limits in milliseconds, for development nodes that are slow because they trace every call. @default 2,300 and
   * 5,800
   */
  readonly nodeTimes?: NodeTimes | undefined
  /** Unix milliseconds. */
  readonly now: () => number
  readonly onFailure?: ((report: FailureReport) => void) | undefined
  readonly onHedge?: ((report: { upstream: string }) => void) | undefined
  readonly onAttempt?: ((report: AttemptReport) => void) | undefined
  /** Called when a probe finds a problem that prevents all quotes on a chain. */
  readonly onProblem?: ((report: { chainId: number; problem: ChainProblem }) => void) | undefined
  /** Maximum number of concurrent flights for each chain; identical quotes share one. @default 32 */
  readonly maxFlights?: number | undefined
  /** State shared with other processes. */
  readonly shared?: Shared | undefined
}
