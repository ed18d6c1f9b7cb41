import { setMaxListeners } from 'node:events'
import { Lru, type Plan, PlanCall, type QuoteRequest } from '@sluice/domain'
import type { Budget } from '@sluice/rpc'
import type { Hex } from 'viem'
import type { ChainState } from '../ChainState.js'
import { fundDryRuns } from '../holdings/fundDryRuns.js'
import type { AskNode } from '../logs/AskNode.js'
import { askNodes } from '../logs/askNodes.js'
import { createWindow } from '../logs/Window.js'
import { askPlans } from '../quotes/askPlans.js'
import type { PlanAnswer } from '../quotes/PlanAnswer.js'
import { chooseHints } from './chooseHints.js'
import { choosePools } from './choosePools.js'
import { createHintedPools } from './createHintedPools.js'
import { createStrikes } from './createStrikes.js'
import { createDepthMap, type DepthMap } from './DepthMap.js'
import { followPools } from './followPools.js'
import { filterHints, type HintSet, hintMembers, isEmpty, membersOf, noHints } from './HintSet.js'
import type { PoolStore } from './PoolStore.js'
import { createProposals, type Proposal } from './Proposals.js'
import { pickPools } from './pickPools.js'
import { proposeConnectors } from './proposeConnectors.js'
import { proposePools } from './proposePools.js'
import { readDepths } from './readDepths.js'
import { readWiring, type Wiring } from './readWiring.js'
import { refusedHints } from './refusedHints.js'

const followEveryMs = 30_000
/** Interval until the index is complete for the first time, in milliseconds. */
const followAgainMs = 1_000
/** Interval in milliseconds, and maximum number, of reads of the usual trades once pools are known. */
const [warmAgainMs, warmTries] = [1_000, 600]
/** How long depths are used, in milliseconds. Pools that matter rarely change by much. */
const depthsMs = 300_000
/** Maximum number of pools whose depth is kept. 2,000 pools take about 1 MB. */
const maxDepths = 20_000
const trialBudgetMs = 10_000
/** Maximum number of queued trades. Further ones are queued when they are requested again. */
const maxWaiting = 64
/** Time without quotes that counts as quiet, in milliseconds. */
const quietMs = 200
/** Maximum wait for a quiet time, in milliseconds. */
const maxQuietWaitMs = 5_000
/** How long a hint whose swaps failed is banned, in milliseconds. */
const bannedMs = 3_600_000
const maxBanned = 2_000
/** Maximum number of further background searches for a trade after some of its hints were banned. */
const maxBanRounds = 4

/** Hints for one chain, from its pool index. */
export type Hints = {
  /** Returns hints for a trade; empty if none would help. Reads memory only. */
  known: (request: QuoteRequest.QuoteRequest) => HintSet
  /** Queues a quoted trade for a search for better hints. */
  improve: (request: QuoteRequest.QuoteRequest) => void
  /**
   * Searches for the best hints now, with calls to nodes.
   *
   * @param budget Node requests are charged to this budget. If it runs out, a later call searches again.
   */
  propose: (request: QuoteRequest.QuoteRequest, budget: Budget) => Promise<HintSet>
  /**
   * Records that a swap failed with these hints and not without them. They are not used for this trade until each was
   * run alone. Hints that fail repeatedly are banned for all trades for a while.
   */
  doubt: (request: QuoteRequest.QuoteRequest, passed: readonly Hex[]) => void
  /** Number of pools with a known depth; `undefined` until the index has caught up. */
  poolsIndexed: () => number | undefined
  start: () => void
  stop: () => void
}

export type HintsOptions = {
  store: PoolStore
  /** Cost of a plan's gas in the output token, if known. */
  gasCostOf: (request: QuoteRequest.QuoteRequest, plan: Plan.Plan) => bigint | undefined
  /** The most frequent trades on the chain. Searches hints for them once the index is complete. @default none */
  usual?: (() => Promise<readonly QuoteRequest.QuoteRequest[]>) | undefined
  /** Unix milliseconds. */
  now: () => number
}

export function createHints(
  state: ChainState,
  { gasCostOf, now, store, usual }: HintsOptions,
): Hints {
  const { chainId, wrappedNative } = state.chain
  const proposals = createProposals()
  /** End of each ban in unix milliseconds, by token or pool in lower case. */
  const banned = Lru.create<string, number>(maxBanned)
  const strike = createStrikes(now)
  const hinted = createHintedPools(now)
  const waiting: QuoteRequest.QuoteRequest[] = []
  const stopping = new AbortController()
  // Many searches may listen to this signal at once.
  setMaxListeners(0, stopping.signal)
  const window = createWindow()
  let timer: NodeJS.Timeout | undefined
  /** Set once the index is complete. Until then there are no proposals. */
  let wiring: Wiring | undefined
  let depths: { readonly map: DepthMap; readonly at: number; readonly pools: number } | undefined
  let isImproving = false
  let isWarm = usual === undefined
  let warmTimer: NodeJS.Timeout | undefined
  /** Time of the last quote (monotonic milliseconds). */
  let askedAt = Number.NEGATIVE_INFINITY

  async function follow(): Promise<void> {
    for (const ask of askNodes(state, stopping.signal)) {
      try {
        const found = wiring ?? (await readWiring(state, ask))
        await followPools({ ask, store, chainId, factories: found.factories, window })
        const pools = store.count(chainId)
        if (!depths || depths.pools !== pools || now() - depths.at >= depthsMs) {
          const picked = await pickPools(store, chainId, maxDepths)
          const map = createDepthMap(await readDepths(ask, picked), wrappedNative)
          if (depths?.pools !== pools) proposals.forget()
          depths = { map, at: now(), pools }
        }
        await followHinted(ask, found)
        wiring = found
        if (!isWarm && warmTimer === undefined) void warm()
        break
      } catch {
        // Quotes work without the index. The next node or the next round tries again.
      }
    }
    const pauseMs = wiring ? followEveryMs : followAgainMs
    if (!stopping.signal.aborted) timer = setTimeout(follow, pauseMs).unref()
  }

  /** A node that answers nothing here can still have read the other pools. */
  async function followHinted(ask: AskNode, { connectorTokens, registries }: Wiring) {
    const announced = store.hinted(chainId).filter(({ registry }) => registries.includes(registry))
    const valued = [...connectorTokens, wrappedNative]
    const hasNew = await hinted.refresh(ask, announced, valued).catch(() => false)
    if (hasNew) proposals.forget()
  }

  /** Retries until there are usual trades: the swap index may be behind the pool index. */
  async function warm(tries = warmTries): Promise<void> {
    const requests = isWarm || stopping.signal.aborted ? [] : await usual!().catch(() => [])
    for (const request of requests) enqueue(request)
    isWarm ||= requests.length > 0
    if (!isWarm && tries > 0) warmTimer = setTimeout(warm, warmAgainMs, tries - 1).unref()
  }

  function enqueue(request: QuoteRequest.QuoteRequest): void {
    const proposal = proposalFor(request)
    if (!proposal || proposal.improved || proposal.isQueued) return
    if (waiting.length >= maxWaiting) return
    proposal.isQueued = true
    waiting.push(request)
    void work()
  }

  function isBanned(hint: Hex): boolean {
    const until = banned.get(hint.toLowerCase())
    return until !== undefined && now() < until
  }

  function proposalFor(request: QuoteRequest.QuoteRequest): Proposal | undefined {
    if (!wiring || !depths) return undefined
    const present = proposals.of(request, now())
    if (present) return present
    const { amountIn, tokenIn, tokenOut } = request
    const { connectorTokens } = wiring
    const pair = { tokenIn: tokenIn.address, tokenOut: tokenOut.address }
    const trade = { ...pair, amountIn, connectorTokens, isBanned }
    const chosen = chooseHints(depths.map, trade)
    const through = [...connectorTokens, ...(chosen[0] ?? [])]
    const pools = choosePools(hinted, { ...pair, through, isBanned })
    const fresh: Proposal = { chosen, pools, at: now() }
    proposals.put(request, fresh)
    return fresh
  }

  async function improve(
    request: QuoteRequest.QuoteRequest,
    budget?: Budget,
    rounds = maxBanRounds,
  ): Promise<HintSet> {
    const proposal = proposalFor(request)
    if (!proposal || !wiring) return noHints
    const [tokenIn, tokenOut] = [request.tokenIn.address, request.tokenOut.address]
    const beside = [tokenIn, tokenOut].flatMap((token) => hinted.holding(token))
    const listed = [...wiring.listed, ...beside.map(({ tokens }) => tokens)]
    const { connectorTokens } = wiring
    const tokens = { tokenIn, tokenOut, wrappedNative, connectorTokens, listed }
    const attempt = async (hints: HintSet) => {
      const [answer] = await tryOut(request, [hints], { isExact: false, budget })
      return planOf(answer)
    }
    const worthOf = (plan: Plan.Plan) => plan.netOut - (gasCostOf(request, plan) ?? 0n)
    const [deepest = []] = proposal.pools
    const connectors = await proposeConnectors(
      { store, chainId, ...tokens },
      (tried) => attempt({ connectors: tried, pools: deepest }),
      { chosen: proposal.chosen, isBanned, worthOf },
    )
    // The search was cut short, so do not store its result.
    if (budget?.isSpent()) return { connectors, pools: deepest }
    const tryPools = (pools: HintSet['pools']) => attempt({ connectors, pools })
    const pools = await proposePools(proposal.pools, tryPools, worthOf)
    const hints = { connectors, pools }
    if (budget?.isSpent()) return hints
    const refused = isEmpty(hints) ? undefined : await refusedOf(request, hints, budget)
    if (!refused || refused.length === 0) {
      proposal.improved = refused ? noHints : hints
      proposal.doubted = undefined
      return proposal.improved
    }
    ban(refused)
    // Search again without the banned hints. A caller who waits gets no further rounds.
    return budget || rounds === 0 ? noHints : await improve(request, undefined, rounds - 1)
  }

  /**
   * Returns the hints that make a dry run fail: a token can quote well and still refuse transfers. `undefined` if the
   * run passes, or fails without hints too.
   */
  async function refusedOf(
    request: QuoteRequest.QuoteRequest,
    hints: HintSet,
    budget: Budget | undefined,
  ): Promise<readonly Hex[] | undefined> {
    const run = (packs: readonly HintSet[]) => tryOut(request, packs, { isExact: true, budget })
    const [plain, whole] = await run([noHints, hints])
    if (planOf(plain)?.verdict !== 'Executable') return undefined
    return await refusedHints(membersOf(hints), whole, (packs) =>
      run(packs.map((pack) => filterHints(hints, (hint) => pack.includes(hint)))),
    )
  }

  async function tryOut(
    request: QuoteRequest.QuoteRequest,
    packs: readonly HintSet[],
    { budget, isExact }: { isExact: boolean; budget: Budget | undefined },
  ): Promise<readonly PlanAnswer[]> {
    const { amountIn, excludedVenues, gasPrice } = request
    const [tokenIn, tokenOut] = [request.tokenIn.address, request.tokenOut.address]
    const { quoter } = request.chain.contracts
    const asks = packs.map((hints) => {
      const question = {
        tokenIn,
        tokenOut,
        amountIn,
        gasPrice,
        ...hintMembers(hints),
        excludedVenues,
        isExact,
      }
      return { question, quoter, data: PlanCall.encode(question) }
    })
    const options = { budgetMs: trialBudgetMs, budget, now, signal: stopping.signal }
    const funded = isExact ? await fundDryRuns(state, asks, options) : asks
    const { answers } = await askPlans(state, funded, options)
    return answers
  }

  function ban(hints: readonly Hex[]): void {
    for (const hint of hints) banned.put(hint.toLowerCase(), now() + bannedMs)
    proposals.forget()
  }

  /** Improves one trade at a time, when no quotes run, so that callers do not wait for nodes. */
  async function work(): Promise<void> {
    if (isImproving) return
    isImproving = true
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await untilQuiet()
      if (stopping.signal.aborted) break
      await improve(next).catch(() => {})
      // If no node answered, the trade can be queued again.
      const proposal = proposals.of(next, now())
      if (proposal) proposal.isQueued = false
    }
    isImproving = false
  }

  async function untilQuiet(): Promise<void> {
    const since = performance.now()
    const isQuiet = () => state.flights.count() === 0 && performance.now() - askedAt >= quietMs
    while (!isQuiet() && performance.now() - since < maxQuietWaitMs && !stopping.signal.aborted)
      await new Promise((resolve) => setTimeout(resolve, quietMs / 2).unref())
  }

  return {
    known(request) {
      const hints = proposalFor(request) ? proposals.hintsFor(request, now()) : noHints
      hinted.use(hints.pools)
      return hints
    },
    improve(request) {
      askedAt = performance.now()
      enqueue(request)
    },
    propose: async (request, budget) =>
      proposals.of(request, now())?.improved ?? (await improve(request, budget)),
    doubt(request, passed) {
      const worst = strike(passed)
      if (worst.length > 0) ban(worst)
      else proposals.doubt(request, now(), passed)
    },
    poolsIndexed: () => depths?.map.size,
    start: () => void follow(),
    stop() {
      stopping.abort()
      clearTimeout(timer)
      clearTimeout(warmTimer)
    },
  }
}

function planOf(answer: PlanAnswer | undefined) {
  const isPlan = answer?.kind === 'plan'
  return isPlan && answer.plan.route.legs.length > 0 ? answer.plan : undefined
}
