import {
  Addresses,
  IntegratorFee,
  PlanCall,
  Preparation,
  QuoteRequest,
  Registry as Registries,
} from '@sluice/domain'
import type { Quote } from '../amounts.js'
import { IntegrityError } from '../errors.js'
import { refused } from '../parameters.js'
import type { Hex, PreparedQuote } from '../wire.js'
import type { Registry } from './registry.js'
import { toDomain } from './toDomain.js'

/** The members of a quote that describe its trade and its call. */
export type RepeatableQuote = Pick<
  Quote,
  'chainId' | 'tokenIn' | 'tokenOut' | 'amountIn' | 'exactOutput' | 'meta' | 'quote'
>

/** The trusted addresses, and the time of preparation. */
export type RepeatOptions = {
  registry: Registry
  /** Unix milliseconds. @default the clock */
  now?: number | undefined
}

/**
 * Returns the `eth_call` behind a quote (`meta.call`), to repeat it on your own node: with the same hints, gas price and
 * generation, on the same block. `decode` decodes the node's result.
 *
 * Derives the call again from the registry and the trade of the quote, so that the service cannot make you repeat a
 * different call.
 *
 * @throws IntegrityError if the quote has no call, or if the call does not match its trade; InvalidParameterError if the
 * chain is not in the registry.
 */
export function prepareRepeat(quote: RepeatableQuote, options: RepeatOptions): PreparedQuote {
  const { now = Date.now(), registry } = options
  const { request, ...call } = askedOf(quote, registry)
  return Preparation.from(request, { preparedAt: now, ...call }) as PreparedQuote
}

/**
 * The call behind a quote, and the request that it is of.
 *
 * @internal
 */
export type AskedCall = Pick<Preparation.from.Options, 'blockNumber' | 'funds' | 'gas'> & {
  readonly request: QuoteRequest.QuoteRequest
}

/**
 * Derives the call of a quote again.
 *
 * @internal
 * @throws IntegrityError, InvalidParameterError
 */
export function askedOf(quote: RepeatableQuote, registry: Registry): AskedCall {
  const { call } = quote.meta ?? {}
  demand(call !== undefined, 'The quote has no `meta.call`')
  const question = PlanCall.read(call.data.toLowerCase() as Hex)
  demand(question !== undefined, '`meta.call` of the quote is not a call of the Quoter')
  const isOfTrade =
    Addresses.equal(question.tokenIn, quote.tokenIn) &&
    Addresses.equal(question.tokenOut, quote.tokenOut) &&
    isSameAmount(question, quote)
  demand(isOfTrade, '`meta.call` of the quote is for another trade')
  const { tokenIn, tokenOut, ...asked } = question
  const request: QuoteRequest.QuoteRequest = {
    chain: chainOf(registry, quote.chainId, call.to),
    tokenIn: { address: tokenIn, isNative: false },
    tokenOut: { address: tokenOut, isNative: false },
    ...asked,
    amountOut: question.amountOut === undefined ? undefined : BigInt(quote.exactOutput!.amountOut),
    integratorFee: feeOf(quote),
    recipient: undefined,
    slippageBps: undefined,
    deadlineSec: QuoteRequest.defaultDeadlineSec,
  }
  const { blockNumber } = call
  const funds = fundsOf(quote, PlanCall.heldInput(question))
  return { request, blockNumber, funds, gas: gasOf(call.gas, question) }
}

/** Gas of the original call, because a call with more gas can find a better route. */
function gasOf(gas: string, question: PlanCall.PlanQuestion): Hex {
  const isHex = /^0x[0-9a-f]{1,16}$/i.test(gas)
  const isFair = isHex && BigInt(gas) > 0n && BigInt(gas) <= PlanCall.fullGas(question)
  demand(isFair, '`meta.call` of the quote has no gas, or more gas than a quote may use')
  return gas as Hex
}

/** Whether a question asks for the amount of the quote: its input, or the output that was asked for. */
function isSameAmount(
  { amountIn, amountOut }: PlanCall.PlanQuestion,
  quote: RepeatableQuote,
): boolean {
  return amountOut === undefined ? amountIn === quote.amountIn : askedOutput(quote) === amountOut
}

/** Output that the Quoter was asked for, which is before the fee of an integrator. */
function askedOutput(quote: RepeatableQuote): bigint {
  return IntegratorFee.askedOutput(BigInt(quote.exactOutput?.amountOut ?? 0), feeOf(quote))
}

/** The fee that the numbers of a quote are after. */
function feeOf({ quote }: RepeatableQuote): IntegratorFee.IntegratorFee | undefined {
  const [integrator, bps] = [quote?.integrator, quote?.integratorFeeBps]
  return integrator === undefined || bps === undefined ? undefined : { integrator, bps }
}

/** State override for the input of a dry run. It may set one slot of the input token to the amount, and nothing else. */
function fundsOf(
  { meta, tokenIn }: RepeatableQuote,
  held: bigint,
): Preparation.from.Options['funds'] {
  const { stateOverride } = meta!.call!
  if (stateOverride === undefined) return undefined
  const contracts = Object.entries(stateOverride)
  const slots = contracts.flatMap(([, { stateDiff }]) => Object.entries(stateDiff))
  const [token] = contracts[0] ?? ['']
  const [slot, value] = slots[0] ?? ['', '0x']
  const isOnly = contracts.length === 1 && slots.length === 1 && Addresses.equal(token, tokenIn)
  demand(
    isOnly && /^0x[0-9a-f]{64}$/.test(slot) && BigInt(value) === held,
    '`meta.call` of the quote overrides more state than one slot of the input token',
  )
  return { [tokenIn]: { stateDiff: { [slot]: value } } } as Preparation.from.Options['funds']
}

/** The chain with the contracts of the generation whose Quoter was called. */
function chainOf(registry: Registry, chainId: number, quoter: string) {
  const chain = toDomain(registry).get(chainId)
  if (chain === undefined) throw refused('chain', 'is not in the registry', 'bad_chain')
  const found = Registries.versionsOf(chain)
    .map((version) => Registries.inVersion(chain, version)!)
    .find(({ contracts }) => Addresses.equal(contracts.quoter, quoter))
  demand(found !== undefined, '`meta.call` of the quote is not to a Quoter in the registry')
  return found
}

function demand(holds: boolean, message: string): asserts holds {
  if (!holds) throw new IntegrityError('call', `${message}.`, { metaMessages: ['Do not sign it.'] })
}

/** The members of a quote that say what a trade gets, and how. */
export type Outcome = Pick<Quote, 'amountIn' | 'amountOut' | 'route'>

/**
 * Whether two quotes have the same outcome: the same legs with the same shares, and the same net output to the base unit.
 */
export function isSameOutcome(a: Outcome, b: Outcome): boolean {
  return a.amountOut === b.amountOut && textOf(a) === textOf(b)
}

/** The quoted input, because the route of an output sells what the slippage of its request adds. */
function textOf({ amountIn, route }: Outcome): string {
  const { grossOut, impactBps, legs, tokenIn, tokenOut } = route
  const parts = legs.map(({ key, pool, share, venue, ...leg }) =>
    [venue, pool, leg.tokenIn, leg.tokenOut, key, share].join(),
  )
  return [tokenIn, tokenOut, amountIn, grossOut, impactBps, ...parts].join(';').toLowerCase()
}
