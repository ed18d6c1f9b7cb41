import {
  Addresses,
  GasCost,
  type Plan,
  type QuoteRequest,
  type Registry,
  type Solvency,
} from '@sluice/domain'
import { type Budget, createUpstream, Standing } from '@sluice/rpc'
import type { Address, Hex } from 'viem'
import { type ChainState, createChainState, hasFreshHead, lacksCancun } from './ChainState.js'
import { createReports, type Reports, type ReportsConfig } from './createReports.js'
import { countGas, priceGas } from './gas/countGas.js'
import { createGasPrices } from './gas/GasPrices.js'
import { createNativeRates } from './gas/NativeRates.js'
import { probeChain, probeOutcasts } from './heads/probeChain.js'
import { refreshHeads } from './heads/refreshHeads.js'
import { askNodes } from './logs/askNodes.js'
import { createHints, type Hints } from './pools/createHints.js'
import { getHintedQuotes } from './pools/getHintedQuotes.js'
import { openPoolStore } from './pools/PoolStore.js'
import { usualRequests } from './pools/usualRequests.js'
import {
  getQuotes,
  limitsOf,
  type NodeTimes,
  type QuoteAnswer,
  type Settled,
  type Wanted,
} from './quotes/getQuotes.js'
import type { AttemptReport, FailureReport } from './quotes/PlanAnswer.js'
import { checkSenders } from './senders/checkSenders.js'
import { createSolvency, type SolvencyAnswer } from './solvency/createSolvency.js'
import type { Shared } from './support/Shared.js'
import { createSwapIndex, type SwapIndexConfig } from './swaps/createSwapIndex.js'
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

const defaultMaxFlights = 32

/** Between two looks at all nodes, once the contracts were seen, and before. */
const probeIntervalMs = 300_000
const unseenIntervalMs = 5_000
/** Between two looks at the nodes that are out, so that their recovery is seen without any traffic. */
const outcastIntervalMs = 2_500

/** Creates an engine. It asks no node before it is used, or `startProbing` is called. */
export function createEngine(config: EngineConfig): Engine {
  const states = new Map<number, ChainState>()
  for (const chain of config.registry.values()) states.set(chain.chainId, toState(chain, config))
  const gases = new Map(
    [...states].map(([chainId, state]) => [
      chainId,
      { prices: createGasPrices(state), rates: createNativeRates() },
    ]),
  )
  const gasCostOf = (request: QuoteRequest.QuoteRequest, plan: Plan.Plan) =>
    GasCost.of(
      { request, plan, estGas: plan.estGas },
      gases.get(request.chain.chainId)?.rates.of(request.tokenOut.address),
    )
  const hints = new Map<number, Hints>()
  if (config.poolIndex !== undefined) {
    const store = openPoolStore(config.poolIndex)
    for (const [chainId, state] of states) {
      const usual = async () => {
        const trades = await swapIndex.usualTrades(chainId)
        return await priceGas(usualRequests(state.chain, trades), gases.get(chainId)!.prices)
      }
      hints.set(chainId, createHints(state, { store, gasCostOf, usual, now: config.now }))
    }
  }
  const nodesOf = (chainId: number, signal: AbortSignal) => {
    const state = states.get(chainId)
    return state && askNodes(state, signal)
  }
  const swapIndex = createSwapIndex(nodesOf, config.swapIndex ?? { chains: new Map() }, config.now)
  const stopping = new AbortController()
  const timers = new Map<number, NodeJS.Timeout>()
  const problems = new Map<number, ChainProblem | undefined>()

  async function quoteMany(
    requests: readonly QuoteRequest.QuoteRequest[],
    options: EngineCallOptions = {},
  ) {
    const results: Settled<QuoteAnswer>[] = []
    const chainIds = new Set(requests.map(({ chain }) => chain.chainId))
    const ask = async (chainId: number) => {
      const places = requests.flatMap(({ chain }, place) =>
        chain.chainId === chainId ? [place] : [],
      )
      const ours = places.map((place) => requests[place]!)
      const { now, onAttempt, onFailure, onHedge } = config
      const state = states.get(chainId)!
      const gas = gases.get(chainId)!
      const { budget, ...rest } = options
      const limits = { ...limitsOf(ours, config.nodeTimes), ...(budget && { budget }) }
      const priced = await priceGas(ours, gas.prices, limits.budget)
      const ask = (wanted: readonly Wanted[]) =>
        getQuotes(state, wanted, { ...rest, limits, now, onAttempt, onFailure, onHedge })
      const hinted = { hints: hints.get(chainId), limits }
      const answers = await getHintedQuotes(countGas(ask, gas.rates), priced, hinted)
      const checked = await checkSenders(state, answers, {
        ...rest,
        ...limits,
        now,
        onFailure,
        onHedge,
      })
      for (const [index, answer] of checked.entries()) results[places[index]!] = answer
    }
    await Promise.all([...chainIds].map(ask))
    return results
  }

  async function keepProbing(
    state: ChainState,
    probedAt = Number.NEGATIVE_INFINITY,
  ): Promise<void> {
    const options = { now: config.now, signal: stopping.signal }
    const sinceMs = performance.now() - probedAt
    const isDue = sinceMs >= (state.isProbed ? probeIntervalMs : unseenIntervalMs)
    const startedAt = isDue ? performance.now() : probedAt
    await (isDue ? probeChain(state, options) : probeOutcasts(state, options))
    if (stopping.signal.aborted) return
    const { chainId } = state.chain
    const problem = problemOf(state)
    if (problem !== undefined && problems.get(chainId) !== problem)
      config.onProblem?.({ chainId, problem })
    problems.set(chainId, problem)
    const timer = setTimeout(() => keepProbing(state, startedAt), outcastIntervalMs)
    timers.set(chainId, timer.unref())
  }

  return {
    ...createReports(states, { ...config, quoteMany }),
    quoteMany,
    hintsFor: (request) => hints.get(request.chain.chainId)?.known(request) ?? [],
    solvency: createSolvency({ states, now: config.now, onFailure: config.onFailure }),
    async quote(request, options) {
      const [answer] = await quoteMany([request], options)
      if (!answer!.ok) throw answer!.error
      return answer!.value
    },
    latestHash(chainId) {
      const state = states.get(chainId)
      return state !== undefined && hasFreshHead(state) ? state.head?.hash : undefined
    },
    async isReady() {
      const heads = [...states.values()].map(async (state) => {
        const asOf = performance.now()
        if (!hasFreshHead(state, asOf)) await refreshHeads(state, { now: config.now, asOf })
        return hasFreshHead(state, asOf)
      })
      return (await Promise.all(heads)).some(Boolean)
    },
    nodes: () =>
      [...states.values()].flatMap(({ head, heads, upstreams }) =>
        upstreams.map(({ isExcluded, label, standing }) => {
          const own = heads.of(label)
          const headLag = head && own && Number(head.number - own.number)
          return { label, isDemoted: Standing.isDemoted(standing), isExcluded, headLag }
        }),
      ),
    health: () =>
      [...states.values()].map((state) => ({
        ...healthOf(state),
        poolsIndexed: hints.get(state.chain.chainId)?.poolsIndexed(),
      })),
    stats: swapIndex.stats,
    indexing: swapIndex.progress,
    startProbing() {
      for (const state of states.values()) keepProbing(state)
      for (const each of hints.values()) each.start()
      for (const { prices } of gases.values()) void prices.current()
      swapIndex.start()
    },
    async stop() {
      stopping.abort()
      for (const each of hints.values()) each.stop()
      for (const { prices } of gases.values()) prices.stop()
      for (const timer of timers.values()) clearTimeout(timer)
      for (const { upstreams } of states.values())
        for (const { agent } of upstreams) agent.destroy()
      await swapIndex.stop()
    },
  }
}

function toState(chain: Registry.ServedChain, config: EngineConfig): ChainState {
  const urls = config.rpcUrls.get(chain.chainId) ?? []
  return createChainState({
    chain,
    upstreams: urls.map((url, index) =>
      createUpstream({ url, label: `${chain.chainId}#${index + 1}` }),
    ),
    maxBlockAgeMs: maxBlockAgeMs(chain, config),
    headFreshMs: Math.min(config.headFreshMs, chain.blockTimeMs / 2),
    maxFlights: config.maxFlights ?? defaultMaxFlights,
    shared: config.shared,
  })
}

function maxBlockAgeMs(
  chain: Registry.ServedChain,
  { maxBlockAge }: EngineConfig,
): number | undefined {
  if (maxBlockAge === 'off') return undefined
  if (maxBlockAge !== 'auto') return maxBlockAge
  const leastMs = chain.blockTimeMs > 5_000 ? 60_000 : 15_000
  return Math.max(3 * chain.blockTimeMs, leastMs)
}

function healthOf(state: ChainState): Omit<ChainHealth, 'poolsIndexed'> {
  const { chain, head } = state
  const { quoter, router } = chain.contracts
  const isDeployed = (address: string) => !Addresses.equal(address, Addresses.zero)
  const ageMs = Math.round(performance.now() - state.headAskedAt)
  return {
    chainId: chain.chainId,
    name: chain.name,
    live: isDeployed(quoter) && isDeployed(router),
    probed: state.isProbed,
    head: head?.number,
    headAgeMs: head && Number.isFinite(ageMs) ? ageMs : undefined,
    problem: problemOf(state),
  }
}

function problemOf(state: ChainState): ChainProblem | undefined {
  if (lacksCancun(state)) return 'no_cancun'
  const { upstreams } = state
  const areWrong = upstreams.length > 0 && upstreams.every(({ isExcluded }) => isExcluded)
  return areWrong ? 'wrong_chain' : undefined
}
