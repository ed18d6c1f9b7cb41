import {
  Addresses,
  FactoryReads,
  Market,
  PathSearch,
  PlanCall,
  type QuoteRequest,
  type Venues,
} from '@sluice/domain'
import { createBudget } from '@sluice/rpc'
import type { ChainState } from '../ChainState.js'
import type { Block } from '../heads/Head.js'
import { wordOf } from '../lens/askLens.js'
import { readPinned } from '../quotes/readPinned.js'
import { maxRequests } from '../support/maxRequests.js'
import { askInGroups, type GroupOptions } from './askInGroups.js'
import type { Alternative, Explanation, Looked } from './Explanation.js'
import { priceSwaps } from './priceSwaps.js'

/** Time for all readings of one explanation, in milliseconds. */
const usualMs = 3_000
/** Maximum number of swaps that pay nothing and are asked again with other inputs. */
const maxProbed = 32

export type ExplainOptions = {
  /** Block of the quote. @default the chain's head */
  block?: Block | undefined
  /** Venues of the chain, if they are known. */
  venues?: Venues.Venues | undefined
  signal?: AbortSignal | undefined
  /** Time limit in milliseconds. @default 3,000 */
  totalMs?: number | undefined
} & Pick<readPinned.Options, 'now' | 'onFailure'>

/**
 * Looks at the market as the search of a quote does, and prices the routes without splitting. Costs at most as many node
 * requests as `maxRequests.explain`. Never throws, except if it is aborted: what cannot be told is said.
 */
export async function explainQuote(
  state: ChainState,
  request: QuoteRequest.QuoteRequest,
  options: ExplainOptions,
): Promise<Explanation> {
  const { overrides } = request
  const { contracts, stateOverride: override } = request.chain
  if ([contracts.finder, contracts.pricer].some((each) => Addresses.equal(each, Addresses.zero)))
    return { looked: [], unknown: ['The registry has no Finder or no Pricer on this chain.'] }
  const { totalMs = usualMs } = options
  const endsAt = performance.now() + totalMs
  const budget = createBudget({ requests: maxRequests.explain })
  const question = PlanCall.questionOf(request)
  const data = Market.encode(contracts.hub, question)
  let market: Market.Market | undefined
  const read = await readPinned(
    state,
    [{ to: contracts.finder, data, gas: PlanCall.fullGas, override, foreign: overrides }],
    {
      ...options,
      budget,
      budgetMs: totalMs,
      needsOverrides: override !== undefined || overrides !== undefined,
      accepts([found]) {
        market = found!.ok ? Market.decode(found!.data, question) : undefined
        return !found!.ok || market !== undefined
      },
    },
  )
  options.signal?.throwIfAborted()
  if (!read.ok || market === undefined)
    return { looked: [], unknown: ['No node told which pools the search found.'] }
  const { block } = read
  const asked = { ...options, block, budget, endsAt, chain: request.chain, overrides }
  const found = await searchPaths(state, market, request.amountIn, asked)
  const { alternatives, unknown } = found
  if (alternatives?.length !== 0) return { block, market, ...found }
  const { leftOut, why } = await findLeftOut(state, market, options.venues, asked)
  return { block, market, ...found, leftOut, unknown: [...unknown, ...why] }
}

/** Asks the factories which pools exist that the search left out: one node request. */
async function findLeftOut(
  state: ChainState,
  market: Market.Market,
  venues: Venues.Venues | undefined,
  options: GroupOptions,
): Promise<{ leftOut?: Explanation['leftOut']; why: readonly string[] }> {
  const untold = { why: ['No node told whether pools exist that the search left out.'] }
  if (venues === undefined) return untold
  const reads = FactoryReads.of(market, venues)
  const answers = await askInGroups(state, reads, options)
  options.signal?.throwIfAborted()
  if (answers === undefined) return untold
  const words = answers.map(wordOf)
  const unread = reads.filter((_, index) => words[index] === undefined).length
  const silent = FactoryReads.silentVenues(venues)
  return {
    leftOut: FactoryReads.leftOut(market, reads, words),
    why: [
      ...(unread === 0 ? [] : [`${unread} reads of factories failed.`]),
      ...silent.map((name) => `The factory of ${name} does not tell which pools exist.`),
    ],
  }
}

type Found = Pick<Explanation, 'alternatives' | 'looked' | 'unknown'>

/** Prices all paths of single pools, hop by hop: one node request for each hop. */
async function searchPaths(
  state: ChainState,
  market: Market.Market,
  amountIn: bigint,
  options: GroupOptions,
): Promise<Found> {
  let reached = PathSearch.start(market)
  let best: readonly PathSearch.PricedSwap[] | undefined
  let pool: typeof best
  const looked: PathSearch.PricedSwap[] = []
  for (let hop = 1; hop <= PathSearch.maxHops; hop++) {
    const swaps = PathSearch.swapsOf(market, reached, { amountIn, hop })
    const priced = await priceSwaps(state, market, swaps, options)
    options.signal?.throwIfAborted()
    if (priced === undefined)
      return {
        looked: await judge(state, market, looked, options),
        unknown: [`No node told what the pools of hop ${hop} pay, so alternatives are unknown.`],
      }
    looked.push(...priced)
    const ending = PathSearch.bestPath(market, reached, priced)
    if (hop === 1) pool = ending
    best = PathSearch.better(best, ending)
    reached = PathSearch.reach(market, reached, priced)
  }
  const unread = looked.filter(({ amountOut }) => amountOut === undefined).length
  const alternatives = [named('single_pool', pool), named('single_path', best)].flat()
  return {
    alternatives,
    looked: await judge(state, market, looked, options),
    unknown:
      unread === 0
        ? []
        : [`${unread} pools could not be priced; an alternative over one of them may pay more.`],
  }
}

function named(
  kind: Alternative['kind'],
  swaps: readonly PathSearch.PricedSwap[] | undefined,
): Alternative[] {
  return swaps === undefined ? [] : [{ kind, swaps }]
}

/** Tells why swaps pay nothing, by what they pay for a smaller and for a larger input. */
async function judge(
  state: ChainState,
  market: Market.Market,
  looked: readonly PathSearch.PricedSwap[],
  options: GroupOptions,
): Promise<readonly Looked[]> {
  const zeros = looked.filter(({ amountOut }) => amountOut === 0n).slice(0, maxProbed)
  const probes = zeros.flatMap((swap) =>
    PathSearch.probesOf(swap).map((amountIn) => ({ ...swap, amountIn })),
  )
  const priced = (await priceSwaps(state, market, probes, options)) ?? []
  return looked.map((swap) => {
    const place = zeros.indexOf(swap)
    const probed = place < 0 ? [] : priced.slice(2 * place, 2 * place + 2)
    const outputs = probed.map(({ amountOut }) => amountOut)
    return { ...swap, verdict: PathSearch.verdictOf(swap, outputs) }
  })
}
