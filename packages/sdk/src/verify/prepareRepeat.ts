import {
  Addresses,
  IntegratorFee,
  Overrides,
  PlanCall,
  Preparation,
  QuoteRequest,
  Registry as Registries,
} from '@sluice/domain'
import type { Quote } from '../amounts.js'
import { IntegrityError } from '../errors.js'
import { encodeParameters, type QuoteParameters, refused } from '../parameters.js'
import type { Hex, PreparedQuote } from '../wire.js'
import type { Registry } from './registry.js'
import { toDomain } from './toDomain.js'

/** The members of a quote that describe its trade and its call. */
export type RepeatableQuote = Pick<
  Quote,
  'chainId' | 'tokenIn' | 'tokenOut' | 'amountIn' | 'exactOutput' | 'meta' | 'quote'
>

/** The trusted addresses, the state that was asked for, and the time of preparation. */
export type RepeatOptions = {
  registry: Registry
  /**
   * `overrides` of the request. The call of the quote may not change any other state, so that the service cannot make you repeat it
   * on a state that you did not ask for.
   */
  overrides?: QuoteParameters['overrides']
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
  const { now = Date.now() } = options
  const { request, ...call } = askedOf(quote, options)
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
export function askedOf(
  quote: RepeatableQuote,
  { overrides: given, registry }: Pick<RepeatOptions, 'registry' | 'overrides'>,
): AskedCall {
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
  const chain = chainOf(registry, quote.chainId, call.to)
  const overrides = overridesOf(chain, given)
  const request: QuoteRequest.QuoteRequest = {
    chain,
    tokenIn: { address: tokenIn, isNative: false },
    tokenOut: { address: tokenOut, isNative: false },
    ...asked,
    amountOut: question.amountOut === undefined ? undefined : BigInt(quote.exactOutput!.amountOut),
    integratorFee: feeOf(quote),
    recipient: undefined,
    slippageBps: undefined,
    deadlineSec: QuoteRequest.defaultDeadlineSec,
    ...(overrides && { overrides }),
  }
  const { blockNumber } = call
  const funds = fundsOf(quote, PlanCall.heldInput(question), overrides)
  return { request, blockNumber, funds, gas: gasOf(call.gas) }
}

/** Gas of the original call, because a call with more gas can find a better route. */
function gasOf(gas: string): Hex {
  const isHex = /^0x[0-9a-f]{1,16}$/i.test(gas)
  const isFair = isHex && BigInt(gas) > 0n && BigInt(gas) <= PlanCall.fullGas
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

/** The state that the quote was asked for. */
function overridesOf(
  chain: Registries.ServedChain,
  given: RepeatOptions['overrides'],
): Overrides.Overrides | undefined {
  const { overrides: text } = encodeParameters({ overrides: given } as QuoteParameters)
  if (text === undefined) return undefined
  const overrides = Overrides.problemOf(text) === undefined ? Overrides.parse(text) : undefined
  const reason = overrides ? Overrides.conflictOf(chain, overrides) : Overrides.problemOf(text)
  if (reason !== undefined) throw refused('overrides', reason)
  return overrides
}

/**
 * State override for the input of a dry run. Beside the state that was asked for, the call may set one slot of the input token to
 * the amount, and nothing else.
 */
function fundsOf(
  { meta, tokenIn }: RepeatableQuote,
  held: bigint,
  overrides: Overrides.Overrides = {},
): Preparation.from.Options['funds'] {
  const asked = entriesOf(overrides)
  const others = entriesOf(meta!.call!.stateOverride ?? {}).filter(
    (entry) => !asked.some((each) => isSameEntry(each, entry)),
  )
  if (others.length === 0) return undefined
  const [{ address, slot, value }] = others as [Entry]
  demand(
    others.length === 1 &&
      Addresses.equal(address, tokenIn) &&
      /^0x[0-9a-f]{64}$/.test(slot) &&
      BigInt(value) === held,
    '`meta.call` of the quote overrides more state than one slot of the input token and the `overrides` that you pass',
  )
  return { [tokenIn]: { stateDiff: { [slot]: value } } } as Preparation.from.Options['funds']
}

/** A change of one slot, or of a balance. */
type Entry = { readonly address: string; readonly slot: string; readonly value: string }

function entriesOf(override: {
  readonly [address: string]: {
    readonly balance?: string | undefined
    readonly stateDiff?: { readonly [slot: string]: string } | undefined
  }
}): readonly Entry[] {
  return Object.entries(override).flatMap(([address, { balance, stateDiff = {} }]) => [
    ...(balance === undefined ? [] : [{ address, slot: 'balance', value: balance }]),
    ...Object.entries(stateDiff).map(([slot, value]) => ({ address, slot, value })),
  ])
}

function isSameEntry(a: Entry, b: Entry): boolean {
  return Addresses.equal(a.address, b.address) && a.slot === b.slot && a.value === b.value
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
