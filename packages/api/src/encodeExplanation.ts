import type { FactoryReads, Market, Plan, Quote, QuoteRequest } from '@sluice/domain'
import { CallCommands, IntegratorFee, Minimum, PathSearch, PlanCall, Venues } from '@sluice/domain'
import { type Explanation, maxExplainedPools } from './explanation.js'

/** What the engine found out beside a quote. */
type Found = {
  readonly market?: Market.Market | undefined
  readonly alternatives?:
    | readonly {
        readonly kind: 'single_pool' | 'single_path'
        readonly swaps: readonly PathSearch.PricedSwap[]
      }[]
    | undefined
  readonly looked: readonly (PathSearch.PricedSwap & { readonly verdict: PathSearch.Verdict })[]
  readonly leftOut?: readonly FactoryReads.LeftOut[] | undefined
  readonly unknown: readonly string[]
}

/** Encodes what `explain=1` adds to a quote or to `no_route`. */
export function encodeExplanation(found: Found, options: encodeExplanation.Options): Explanation {
  const { call, failed, quote, request, venues } = options
  const { alternatives, leftOut, looked, market, unknown } = found
  const rows = market ? looked.slice(0, maxExplainedPools) : []
  return {
    ...(call && { call: encodeCall(call, request) }),
    ...(quote && { minimum: encodeMinimum(quote) }),
    ...(market && {
      ...(alternatives && {
        alternatives: alternatives.map((each) =>
          encodeAlternative(each, { market, request, venues }),
        ),
      }),
      tokens: market.tokens.slice(0, -2),
      ...(venues && { venues: encodeVenues(market, venues) }),
      pools: rows.map((swap) => ({ ...encodeSwap(swap, market, venues), verdict: swap.verdict })),
      ...(leftOut && {
        leftOut: leftOut.slice(0, maxExplainedPools).map((each) => named(each, venues)),
      }),
      poolsFound: market.pools.length,
      poolsOmitted: looked.length - rows.length,
      truncated: market.isTruncated,
    }),
    ...(failed && { failed: encodeFailed(failed, venues) }),
    unknown: [...unknown],
  }
}

export declare namespace encodeExplanation {
  type Options = {
    readonly request: QuoteRequest.QuoteRequest
    readonly call?: Call | undefined
    readonly quote?: Quote.Quote | undefined
    readonly venues?: Venues.Venues | undefined
    /** The route whose dry run failed, and the code of the failure. */
    readonly failed?: { readonly code: string; readonly route: Plan.Route } | undefined
  }
  type Call = CallCommands.BlockCall & { readonly blockHash?: string | undefined }
}

function encodeCall(call: encodeExplanation.Call, request: QuoteRequest.QuoteRequest) {
  const question = PlanCall.read(call.data)!
  const { blockHash, blockNumber, gas, to } = call
  const { amountIn, connectors, gasPrice, pools } = question
  const needsContracts = request.chain.stateOverride !== undefined
  return {
    to,
    signature: PlanCall.signatureOf(question),
    amountIn: amountIn.toString(),
    gasPriceWei: gasPrice.toString(),
    connectors: [...connectors],
    ...(pools && { pools: [...pools] }),
    gas,
    blockNumber: Number(blockNumber),
    ...(blockHash !== undefined && { blockHash }),
    ...(!needsContracts && CallCommands.of(call, question)),
  }
}

function encodeMinimum({ effectiveMinOut, plan, request }: Quote.Quote) {
  const { slippageBps } = request
  const asked = slippageBps === undefined ? undefined : Minimum.asked(plan.netOut, slippageBps)
  const isOfCaller = asked !== undefined && asked >= plan.ironFloor
  return {
    ...(asked !== undefined && { bySlippage: asked.toString() }),
    floor: plan.ironFloor.toString(),
    effective: effectiveMinOut.toString(),
    decidedBy: isOfCaller ? ('slippageBps' as const) : ('floor' as const),
  }
}

function encodeAlternative(
  { kind, swaps }: NonNullable<Found['alternatives']>[number],
  {
    market,
    request,
    venues,
  }: Pick<encodeExplanation.Options, 'request' | 'venues'> & {
    market: Market.Market
  },
) {
  const grossOut = swaps.at(-1)!.amountOut!
  const legs = swaps.map((swap) => {
    const { amountOut, ...leg } = encodeSwap(swap, market, venues)
    return { ...leg, amountOut: amountOut! }
  })
  return {
    kind,
    grossOut: grossOut.toString(),
    amountOut: IntegratorFee.netOf(grossOut, request.integratorFee).toString(),
    legGas: swaps.reduce((sum, { gas }) => sum + gas, 0n).toString(),
    legs,
  }
}

function encodeSwap(
  swap: PathSearch.PricedSwap,
  market: Market.Market,
  venues: Venues.Venues | undefined,
) {
  const { key, ...place } = PathSearch.placeOf(market, swap)
  const venue = venues?.get(place.venue)
  return {
    ...place,
    key: key.toString(),
    ...(venue && {
      venueName: venue.name,
      kind: venue.kind,
      feePips: Venues.feePipsOf(venue, { key }),
    }),
    amountIn: swap.amountIn.toString(),
    amountOut: swap.amountOut === undefined ? null : swap.amountOut.toString(),
  }
}

function encodeVenues({ pools }: Market.Market, venues: Venues.Venues) {
  return [...venues.values()].flatMap(({ isEnabled, kind, name, number }) => {
    const found = pools.filter(({ venue }) => venue === number).length
    return isEnabled ? [{ venue: number, venueName: name, kind, pools: found }] : []
  })
}

function encodeFailed(
  { code, route }: NonNullable<encodeExplanation.Options['failed']>,
  venues: Venues.Venues | undefined,
) {
  const legs = route.legs.map((leg) => named(leg, venues))
  return { code, legs }
}

/** A pool with the name of its venue, if it is known. */
function named(
  { pool, tokenIn, tokenOut, venue }: Pick<Plan.Leg, 'venue' | 'pool' | 'tokenIn' | 'tokenOut'>,
  venues: Venues.Venues | undefined,
) {
  const name = venues?.get(venue)?.name
  return { venue, ...(name !== undefined && { venueName: name }), pool, tokenIn, tokenOut }
}
