import {
  Amounts,
  GasCost,
  IntegratorFee,
  type Issues,
  Overrides,
  type Permits,
  Plan,
  PreparedRequest,
  type Quote,
  type QuoteRequest,
  Sources,
  SwapGas,
  SwapWay,
  Texts,
  TokenFacts,
  type Tokens,
  type Transactions,
  Venues,
} from '@sluice/domain'
import type { QuoteResponse } from './responses.js'

/** Encodes a quote as JSON, with bigints as decimal strings. Leaves out absent members. */
export function encodeQuote(quote: Quote.Quote, options: encodeQuote.Options = {}): QuoteResponse {
  const { explain, meta, tokens, usd, venues } = options
  const { approval, calls, issues, permit, plan, request, soldRoute, tx, txReason, warnings } =
    quote
  return {
    ok: true,
    mode: request.isExact ? 'exact' : 'preview',
    chainId: request.chain.chainId,
    tokenIn: request.tokenIn.address,
    tokenOut: request.tokenOut.address,
    amountIn: plan.route.amountIn.toString(),
    amountOut: plan.netOut.toString(),
    ...encodeExactOutput(quote),
    quote: encodeNumbers(quote),
    route: encodeRoute(soldRoute, venues),
    ...(venues &&
      request.excludedVenues && {
        sources: [...Sources.allowed(venues, request.excludedVenues)],
      }),
    ...(tx && { tx: encodeTransaction(tx) }),
    ...(approval && { approval: { ...approval, amount: approval.amount.toString() } }),
    ...(txReason !== undefined && { txReason }),
    ...(permit && { permit: encodePermit(permit, quote) }),
    ...(issues && { issues: encodeIssues(issues) }),
    ...(calls && { calls: calls.map(encodeCall) }),
    ...(warnings.length > 0 && { warnings: [...warnings] }),
    ...(request.overrides && {
      overrides: Overrides.summaryOf(request.overrides, PreparedRequest.defaultHash),
    }),
    ...encodeResolved(request),
    ...(tokens && encodeTokens(request, tokens)),
    ...(usd && { usd }),
    ...(explain && { explain }),
    wrapRequired: request.tokenIn.isNative && !SwapWay.takesMore(request.chain),
    unwrapAfter: request.tokenOut.isNative && !SwapWay.takesMore(request.chain),
    ...(meta && { meta }),
  }
}

export declare namespace encodeQuote {
  type Options = {
    meta?: QuoteResponse['meta']
    /** Names the venues of the legs. */
    venues?: Venues.Venues | undefined
    /** Finds what is known about a token. @default nothing is said about tokens */
    tokens?: ((address: Tokens.Token['address']) => TokenFacts.TokenFacts | undefined) | undefined
    /** Values of the amounts. */
    usd?: QuoteResponse['usd']
    /** What else was looked at, if it was requested. */
    explain?: QuoteResponse['explain']
  }
}

function encodeExactOutput({
  plan,
  request,
  soldRoute,
}: Quote.Quote): Pick<QuoteResponse, 'exactOutput'> {
  if (request.amountOut === undefined || plan.inputBound === undefined) return {}
  const { gapBps, lowerBound } = Plan.inputBoundOf(plan.inputBound)
  return {
    exactOutput: {
      amountOut: request.amountOut.toString(),
      amountInMax: soldRoute.amountIn.toString(),
      lowerBound: lowerBound === null ? null : lowerBound.toString(),
      gapBps,
    },
  }
}

function encodeTransaction(tx: Transactions.Transaction): QuoteResponse['tx'] {
  const { data, deadline, gas, to, value } = tx
  return {
    to,
    data,
    value: value.toString(),
    gas: gas.toString(),
    deadline: Number(deadline.at),
    deadlineFrom: deadline.countedFrom,
  }
}

function encodePermit(permit: Permits.Permit, quote: Quote.Quote): QuoteResponse['permit'] {
  const { deadline, integratorFee, kind, minOut, nonce, owner, recipient, typedData } = permit
  return {
    kind,
    owner,
    ...(permit.ownerHasCode && { ownerHasCode: true as const }),
    nonce: nonce.toString(),
    recipient,
    minOut: minOut.toString(),
    deadline: deadline.toString(),
    gas: SwapGas.limit(quote.plan, kind, integratorFee).toString(),
    ...(integratorFee && {
      integrator: integratorFee.integrator,
      integratorFeeBps: integratorFee.bps,
    }),
    typedData: typedData as NonNullable<QuoteResponse['permit']>['typedData'],
  }
}

function encodeIssues({ allowance, balance, simulation }: Issues.Issues) {
  const texts = (lacking: { actual: bigint; expected: bigint }) => ({
    actual: lacking.actual.toString(),
    expected: lacking.expected.toString(),
  })
  return {
    ...(allowance && { allowance: { spender: allowance.spender, ...texts(allowance) } }),
    ...(balance && { balance: { token: balance.token, ...texts(balance) } }),
    ...(simulation && { simulation }),
  }
}

function encodeCall({ data, gas, purpose, to, value }: Transactions.Call) {
  const quantity = (amount: bigint) => `0x${amount.toString(16)}`
  return { purpose, to, data, value: quantity(value), gas: quantity(gas) }
}

function encodeResolved({
  tokenIn,
  tokenOut,
}: QuoteRequest.QuoteRequest): Pick<QuoteResponse, 'resolved'> {
  const [resolvedIn, resolvedOut] = [encodeToken(tokenIn), encodeToken(tokenOut)]
  if (!resolvedIn && !resolvedOut) return {}
  return {
    resolved: { ...(resolvedIn && { in: resolvedIn }), ...(resolvedOut && { out: resolvedOut }) },
  }
}

function encodeTokens(
  { tokenIn, tokenOut }: QuoteRequest.QuoteRequest,
  find: (address: Tokens.Token['address']) => TokenFacts.TokenFacts | undefined,
): Pick<QuoteResponse, 'tokens'> {
  const [of, to] = [TokenFacts.ofSide(tokenIn, find), TokenFacts.ofSide(tokenOut, find)]
  if (!of && !to) return {}
  return { tokens: { ...(of && { in: nameOf(of) }), ...(to && { out: nameOf(to) }) } }
}

function nameOf({
  decimals,
  source,
  symbol,
}: Pick<TokenFacts.TokenFacts, 'symbol' | 'decimals' | 'source'>) {
  return { symbol, decimals, source }
}

/** The token that a symbol was resolved to, with its texts made safe to show; `undefined` if no symbol was resolved. */
export function encodeToken({ address, resolved }: Tokens.Token) {
  if (resolved === undefined) return undefined
  const { liquidityUsd, name, symbol } = resolved
  return {
    symbol: Texts.shownText(symbol),
    address,
    name: name === null ? null : Texts.shownText(name),
    liquidityUsd,
  }
}

function encodeNumbers(quote: Quote.Quote): QuoteResponse['quote'] {
  const { plan } = quote
  const { gapBps, upperBound } = Plan.boundOf(plan)
  return {
    grossOut: plan.route.grossOut.toString(),
    protocolFee: plan.protocolFee.toString(),
    netOut: plan.netOut.toString(),
    ironFloor: plan.ironFloor.toString(),
    effectiveMinOut: quote.effectiveMinOut.toString(),
    impactBps: Number(plan.route.impactBps),
    estGas: quote.estGas.toString(),
    gasPriceWei: quote.request.gasPrice.toString(),
    gasPriceSource: GasCost.sourceOf(quote.request),
    gasCostOut: quote.gasCostOut === undefined ? null : quote.gasCostOut.toString(),
    hops: Number(plan.hops),
    legs: plan.route.legs.length,
    canExecute: quote.canExecute,
    hasSurplus: plan.hasSurplus,
    feeBps: Amounts.protocolFeeBps,
    ...encodeIntegratorFee(quote),
    upperBound: upperBound === null ? null : upperBound.toString(),
    gapBps,
    truncated: plan.truncated,
    ...(quote.reason !== undefined && { reason: quote.reason }),
  }
}

function encodeIntegratorFee({ plan, request }: Quote.Quote) {
  const { integratorFee: fee } = request
  if (fee === undefined) return undefined
  return {
    integrator: fee.integrator,
    integratorFeeBps: fee.bps,
    integratorFee: IntegratorFee.of(plan.route.grossOut, fee).toString(),
  }
}

/** The route with the member names of the Solidity struct. ABI encoders accept its decimal strings as integers. */
function encodeRoute(route: Plan.Route, venues: Venues.Venues | undefined): QuoteResponse['route'] {
  return {
    tokenIn: route.tokenIn,
    tokenOut: route.tokenOut,
    amountIn: route.amountIn.toString(),
    grossOut: route.grossOut.toString(),
    impactBps: Number(route.impactBps),
    legs: route.legs.map((leg) => ({
      venue: leg.venue,
      pool: leg.pool,
      tokenIn: leg.tokenIn,
      tokenOut: leg.tokenOut,
      key: leg.key.toString(),
      share: leg.share.toString(),
      ...encodeVenue(leg, venues?.get(leg.venue)),
    })),
  }
}

function encodeVenue(leg: Plan.Leg, venue: Venues.Venue | undefined) {
  if (venue === undefined) return undefined
  const { kind, name } = venue
  return {
    venueName: name,
    kind,
    feePips: Venues.feePipsOf(venue, leg),
    ...(Venues.hasHooks(venue, leg) && { hooked: true }),
  }
}
