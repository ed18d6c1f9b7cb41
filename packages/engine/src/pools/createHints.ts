import { setMaxListeners } from 'node:events'
import { Lru, type Plan, PlanCall, type QuoteRequest } from '@sluice/domain'
import type { Budget } from '@sluice/rpc'
import type { Hex } from 'viem'
import type { ChainState } from '../ChainState.js'
import { fundDryRuns } from '../holdings/fundDryRuns.js'
import { askNodes } from '../logs/askNodes.js'
import { askPlans } from '../quotes/askPlans.js'
import type { PlanAnswer } from '../quotes/PlanAnswer.js'
import { chooseHints } from './chooseHints.js'
import { choosePools, mixOf } from './choosePools.js'
import { createChainPools } from './createChainPools.js'
import { createStrikes } from './createStrikes.js'
import {
  filterHints,
  type HintSet,
  hintMembers,
  isEmpty,
  membersOf,
  noHints,
  sureOut,
} from './HintSet.js'
import type { PoolStore } from './PoolStore.js'
import { createProposals, type Proposal } from './Proposals.js'
import { proposeBeside } from './proposeBeside.js'
import { proposeConnectors } from './proposeConnectors.js'
import { type HintRun, type RunWith, refusedHints } from './refusedHints.js'

/** Maximum interval until the index is complete for the first time, in milliseconds. */
const followAgainMs = 1_000
/** Interval in milliseconds, and maximum number, of reads of the usual trades once pools are known. */
const [warmAgainMs, warmTries] = [1_000, 600]
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
  /** Interval in milliseconds at which the Hub's venues and the chain's logs are read. @default 30_000 */
  followEveryMs?: number | undefined
  /** Unix milliseconds. */
  now: () => number
}

/** Creates the hints of a chain. They know nothing until they are started and have read the chain to its end. */
export function createHints(
  state: ChainState,
  { followEveryMs = 30_000, gasCostOf, now, store, usual }: HintsOptions,
): Hints {
  const { chainId, wrappedNative } = state.chain
  const chainPools = createChainPools(state, { now, store })
  const proposals = createProposals()
  /** End of each ban in unix milliseconds, by token or pool in lower case. */
  const banned = Lru.create<string, number>(maxBanned)
  const strike = createStrikes(now)
  const waiting: QuoteRequest.QuoteRequest[] = []
  const stopping = new AbortController()
  // Many searches may listen to this signal at once.
  setMaxListeners(0, stopping.signal)
  let timer: NodeJS.Timeout | undefined
  let isImproving = false
  let isWarm = usual === undefined
  let warmTimer: NodeJS.Timeout | undefined
  /** Time of the last quote (monotonic milliseconds). */
  let askedAt = Number.NEGATIVE_INFINITY

  async function follow(): Promise<void> {
    for (const ask of askNodes(state, stopping.signal)) {
      try {
        if (await chainPools.follow(ask)) proposals.forget()
        if (!isWarm && warmTimer === undefined) void warm()
        break
      } catch {
        // Quotes work without the index. The next node or the next round tries again.
      }
    }
    const pauseMs = chainPools.known() ? followEveryMs : Math.min(followEveryMs, followAgainMs)
    if (!stopping.signal.aborted) timer = setTimeout(follow, pauseMs).unref()
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
    const known = chainPools.known()
    if (!known) return undefined
    const present = proposals.of(request, now())
    if (present) return present
    const { amountIn, tokenIn, tokenOut } = request
    const { connectorTokens } = known.wiring
    const pair = { tokenIn: tokenIn.address, tokenOut: tokenOut.address }
    const trade = { ...pair, amountIn, connectorTokens, isBanned }
    const chosen = chooseHints(known.map, trade)
    const through = [...connectorTokens, ...(chosen[0] ?? [])]
    const pools = choosePools(known, { ...pair, through, isBanned })
    const fresh: Proposal = { chosen, pools, at: now() }
    proposals.put(request, fresh)
    return fresh
  }

  async function improve(
    request: QuoteRequest.QuoteRequest,
    budget?: Budget,
    rounds = maxBanRounds,
  ): Promise<HintSet> {
    const [proposal, known] = [proposalFor(request), chainPools.known()]
    if (!proposal || !known) return noHints
    const [tokenIn, tokenOut] = [request.tokenIn.address, request.tokenOut.address]
    const beside = [tokenIn, tokenOut].flatMap((token) => known.held.holding(token))
    const listed = [...known.listed, ...beside.map(({ tokens }) => tokens)]
    const { connectorTokens } = known.wiring
    const tokens = { tokenIn, tokenOut, wrappedNative, connectorTokens, listed }
    const attempt = async (hints: HintSet) => {
      const [answer] = await tryOut(request, [{ hints, isExact: false }], budget)
      return planOf(answer)
    }
    const { held, named } = proposal.pools
    const worthOf = (plan: Plan.Plan) => sureOut(plan, named) - (gasCostOf(request, plan) ?? 0n)
    // A caller who waits has no route without hints.
    const [lead = []] = budget ? [mixOf(proposal.pools)] : held
    const connectors = await proposeConnectors(
      { store, chainId, ...tokens },
      (tried) => attempt({ connectors: tried, pools: lead }),
      { chosen: proposal.chosen, isBanned, worthOf },
    )
    // The search was cut short, so do not store its result.
    if (budget?.isSpent()) return { connectors, pools: lead }
    const packs = [...held, named].filter(({ length }) => length > 0)
    const hints = await proposeBeside(connectors, { attempt, packs, worthOf })
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
   * Returns the hints that make a dry run fail or pay less than quoted: a token can quote well and still refuse or tax
   * transfers. `undefined` if the run passes, or fails without hints too.
   */
  async function refusedOf(
    request: QuoteRequest.QuoteRequest,
    hints: HintSet,
    budget: Budget | undefined,
  ): Promise<readonly Hex[] | undefined> {
    const runBoth = async (packs: readonly HintSet[]): Promise<HintRun[]> => {
      const asked = [false, true].flatMap((isExact) =>
        packs.map((pack) => ({ hints: pack, isExact })),
      )
      const answers = await tryOut(request, asked, budget)
      return packs.map((_, index) => ({
        quoted: answers[index],
        run: answers[packs.length + index],
      }))
    }
    const [plain, whole] = await runBoth([noHints, hints])
    if (planOf(plain?.run)?.verdict !== 'Executable') return undefined
    const runWith: RunWith = (packs) =>
      runBoth(packs.map((pack) => filterHints(hints, (hint) => pack.includes(hint))))
    return await refusedHints(membersOf(hints), { plain: plain!, whole, runWith })
  }

  /** Quotes a trade with sets of hints, all on one block; exact ones with a dry run. */
  async function tryOut(
    request: QuoteRequest.QuoteRequest,
    asked: readonly { readonly hints: HintSet; readonly isExact: boolean }[],
    budget: Budget | undefined,
  ): Promise<readonly PlanAnswer[]> {
    const { amountIn, excludedVenues, gasPrice } = request
    const [tokenIn, tokenOut] = [request.tokenIn.address, request.tokenOut.address]
    const { quoter } = request.chain.contracts
    const asks = asked.map(({ hints, isExact }) => {
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
    const isRun = asked.some(({ isExact }) => isExact)
    const funded = isRun ? await fundDryRuns(state, asks, options) : asks
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
      chainPools.use([request.tokenIn.address, request.tokenOut.address], hints)
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
    poolsIndexed: () => chainPools.known()?.pools,
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
