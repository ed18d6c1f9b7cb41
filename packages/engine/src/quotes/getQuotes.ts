import { Overrides, PlanCall, type Quote, type QuoteRequest } from '@sluice/domain'
import { type Budget, createBudget } from '@sluice/rpc'
import type { ChainState } from '../ChainState.js'
import { settleDryRuns } from '../dryRun/settleDryRuns.js'
import type { Block } from '../heads/Head.js'
import type { DryRunFunds } from '../holdings/DryRunFunds.js'
import { fundDryRuns } from '../holdings/fundDryRuns.js'
import { maxRequests } from '../support/maxRequests.js'
import { within } from '../support/within.js'
import { askPlans } from './askPlans.js'
import { findCached } from './findCached.js'
import type { AttemptReport, FailureReport, PlanAnswers, PlanAsk } from './PlanAnswer.js'
import { QuoteError } from './QuoteError.js'
import { readAnswer } from './readAnswer.js'
import { sharePlans } from './sharePlans.js'
import { verifyPlans } from './verifyPlans.js'

/** Whether the quote was computed, shared with a concurrent caller, or cached. */
export type CacheState = 'miss' | 'coalesced' | 'hit'

/** A quote and how it was obtained. */
export type QuoteAnswer = {
  readonly quote: Quote.Quote
  readonly block: Block
  readonly cache: CacheState
  readonly rpcTried: number
  /** State override of the call, which gives a dry run its input. */
  readonly override?: DryRunFunds | undefined
  /** Gas limit of the call, if the node's gas cap lowered it. */
  readonly gas?: bigint | undefined
  /** Number of Quoter calls of which this is the best. @default 1 */
  readonly calls?: number | undefined
  /** Whether the numbers are those of a preview, because the swap could not be dry-run. */
  readonly isPreview?: boolean
}

/** A request to quote. */
export type Wanted = QuoteRequest.QuoteRequest & {
  /** An optional attempt beside another request, which it cannot make fail. */
  readonly isTrial?: true | undefined
}

/** A result or its error, so that one failure does not affect the rest of a batch. */
export type Settled<value> = { ok: true; value: value } | { ok: false; error: unknown }

/** Share of a dry run's time for finding a token's balance slot, in milliseconds. */
const maxSlotMs = 1_500

/** Time for all node requests of one HTTP request, in milliseconds. */
export type NodeTimes = { readonly preview: number; readonly exact: number }

/** The rest of 2,500 and 6,000 ms is for parsing and responding. */
const usualTimes: NodeTimes = { preview: 2_300, exact: 5_800 }

/** Maximum number of node requests for finding balance slots, out of a request's budget. */
export const maxHoldingsRequests = 6

/** Limits of one request. */
export type Limits = {
  /** Monotonic milliseconds. */
  readonly endsAt: number
  readonly budget: Budget
}

/** Returns the limits of a request that starts now. */
export function limitsOf(requests: readonly Wanted[], times: NodeTimes = usualTimes): Limits {
  const needsRun = requests.some(
    ({ isExact, recipient, sender, verify }) =>
      isExact || recipient !== undefined || sender !== undefined || verify !== undefined,
  )
  const budgetMs = requests.some(({ isExact }) => isExact) ? times.exact : times.preview
  return {
    endsAt: performance.now() + budgetMs,
    budget: createBudget({ requests: needsRun ? maxRequests.run : maxRequests.quote }),
  }
}

/** How long a preview waits for a token's balance slot, in milliseconds. */
const slotWaitMs = 250

/** What all callers of a flight share. */
type Flight = {
  mode: 'preview' | 'exact'
  verifiedPlaces: readonly number[]
} & Limits

export type GetQuotesOptions = {
  /** Limits of the HTTP request that these quotes belong to. @default limits of their own */
  limits?: Limits | undefined
  /** Unix milliseconds. */
  now: () => number
  signal?: AbortSignal | undefined
  caller?: string | undefined
  onFailure?: ((report: FailureReport) => void) | undefined
  onHedge?: ((report: { upstream: string }) => void) | undefined
  onAttempt?: ((report: AttemptReport) => void) | undefined
}

/**
 * Quotes on one chain, all on one block, in one request to a node.
 *
 * Identical concurrent callers share that request: its key consists of the calls alone. Slippage, recipient and
 * deadline are applied to each caller's copy. Previews without a recipient come from the cache while their block is the
 * latest. Quotes on a state of the caller's are neither shared nor kept.
 *
 * @returns For each request, in order, a quote or a QuoteError.
 * @throws The signal's reason if it is aborted.
 */
export async function getQuotes(
  state: ChainState,
  requests: readonly Wanted[],
  options: GetQuotesOptions,
): Promise<readonly Settled<QuoteAnswer>[]> {
  const { now, signal } = options
  const asks = requests.map(toAsk)
  const distinct = distinctOf(asks)
  const calls = distinct.map(callOf)
  const mode = requests.some(({ isExact }) => isExact) ? ('exact' as const) : ('preview' as const)
  const timed = { ...options, ...(options.limits ?? limitsOf(requests)) }
  const cached = requests.every(isCacheable) ? await findCached(state, calls, timed) : undefined
  if (cached !== undefined) {
    const answers = cached.plans.map((kept) => ({ kind: 'plan' as const, ...kept }))
    const shared = { answers, block: cached.head, rpcTried: 0, hosts: new Set<string>() }
    return requests.map((request, index) =>
      settle(request, shared, calls.indexOf(callOf(asks[index]!)), 'hit', now()),
    )
  }
  const wanted = requests.map(({ verify }, index) => (verify === 2 ? callOf(asks[index]!) : ''))
  const verifiedPlaces = calls.flatMap((call, place) => (wanted.includes(call) ? [place] : []))
  const isAlone = requests.some(({ overrides }) => overrides !== undefined)
  const key = `${isAlone ? ++lastAlone : ''}:${mode}:${verifiedPlaces}:${calls}`
  // Joining a flight costs no node request.
  if (!state.flights.has(key) && !state.flights.hasRoom(options.caller ?? '', state.maxFlights))
    return requests.map(() => ({ ok: false, error: overloaded }))
  const { isShared, result } = await state.flights.join(key, {
    signal,
    owner: options.caller,
    start: (flightSignal) => {
      const flight = { ...timed, mode, verifiedPlaces, signal: flightSignal }
      const { shared } = state
      const ask = () => fly(state, distinct, flight)
      const isSharable = shared !== undefined && requests.every(isCacheable)
      return isSharable ? sharePlans(state, shared, distinct, { ...flight, ask }) : ask()
    },
  })
  return requests.map((request, index) => {
    const call = callOf(asks[index]!)
    const isRepeated = asks.findIndex((ask) => callOf(ask) === call) < index
    const own = result.hosts.size === 0 && result.block !== undefined ? 'hit' : 'miss'
    const cache = isShared || isRepeated ? 'coalesced' : own
    return settle(request, result, calls.indexOf(call), cache, now())
  })
}

/** Number of the last flight that nobody can join. */
let lastAlone = 0

/** Created once, because collecting a stack trace is expensive. */
const overloaded = new QuoteError(
  'overloaded',
  'Too many concurrent quotes on this chain. Retry in a second.',
  { rpcTried: 0 },
)

async function fly(
  state: ChainState,
  asks: readonly PlanAsk[],
  options: GetQuotesOptions & Flight,
): Promise<PlanAnswers> {
  const { endsAt, mode } = options
  const left = () => endsAt - performance.now()
  const waitMs = mode === 'exact' ? maxSlotMs : slotWaitMs
  const { budget: forHeads } = options
  const budget = forHeads.part('holdings', maxHoldingsRequests)
  // The search for the slot continues for later requests.
  const funding = fundDryRuns(state, asks, { ...options, budget, forHeads, budgetMs: maxSlotMs })
  const funded = (await within(waitMs, funding)) ?? asks
  const first = await askPlans(state, funded, { ...options, budgetMs: left() })
  const places = options.verifiedPlaces
  const again = { ...options, budgetMs: left(), places }
  const both = places.length > 0 ? await verifyPlans(state, funded, first, again) : first
  const result = await settleDryRuns(state, funded, both, { ...options, budgetMs: left() })
  const blockHash = result.block?.hash
  if (blockHash === undefined) return result
  for (const [index, ask] of asks.entries()) {
    const answer = result.answers[index]!
    if (answer.kind !== 'plan' || ask.question.isExact || ask.overrides) continue
    const { gas, plan } = answer
    state.cache.put(blockHash, callOf(ask), { plan, ...(gas !== undefined && { gas }) })
  }
  return result
}

function toAsk(request: Wanted): PlanAsk {
  const question = PlanCall.questionOf(request)
  const { quoter } = request.chain.contracts
  const data = PlanCall.encode(question)
  const { isTrial, overrides } = request
  return { question, quoter, data, ...(isTrial && { isTrial }), ...(overrides && { overrides }) }
}

/** Returns each call once. A call counts as a trial only if every request for it is one. */
function distinctOf(asks: readonly PlanAsk[]): readonly PlanAsk[] {
  const distinct = new Map<string, PlanAsk>()
  for (const ask of asks) {
    const call = callOf(ask)
    if (!ask.isTrial || !distinct.has(call)) distinct.set(call, ask)
  }
  return [...distinct.values()]
}

/** The key includes the Quoter: the generations answer the same calldata differently. */
function callOf({ data, overrides, quoter }: PlanAsk): string {
  return `${quoter}:${data}${overrides === undefined ? '' : Overrides.textOf(overrides)}`
}

/** Whether the quote may come from a cache. Quotes for signing or execution are always computed. */
function isCacheable(request: QuoteRequest.QuoteRequest): boolean {
  const { isExact, overrides, recipient, verify } = request
  return !isExact && [overrides, recipient, verify].every((each) => each === undefined)
}

function settle(
  request: QuoteRequest.QuoteRequest,
  result: PlanAnswers,
  index: number,
  cache: CacheState,
  now: number,
): Settled<QuoteAnswer> {
  const { block, rpcTried } = result
  const answers = (request.verify === 2 ? result.verified : undefined) ?? result.answers
  try {
    const answer = answers[index]!
    const instead = !request.isExact && 'instead' in answer ? answer.instead : undefined
    const used = instead ?? answer
    const quote = readAnswer(request, used, { now, rpcTried, block })
    const override = used.kind === 'plan' ? used.override : undefined
    const gas = used.kind === 'plan' && used.gas !== undefined ? { gas: used.gas } : {}
    const value = { quote, block: block!, cache, rpcTried, ...gas, ...(override && { override }) }
    return { ok: true, value: instead === undefined ? value : { ...value, isPreview: true } }
  } catch (error) {
    return { ok: false, error: error as QuoteError }
  }
}
