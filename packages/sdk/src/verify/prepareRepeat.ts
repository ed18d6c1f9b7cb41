import {
  Addresses,
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

/** What of a quote says its call and its trade. */
export type RepeatableQuote = Pick<Quote, 'chainId' | 'tokenIn' | 'tokenOut' | 'amountIn' | 'meta'>

/** The trusted addresses that a call is repeated on. */
export type RepeatOptions = {
  registry: Registry
  /** Unix milliseconds. @default the clock */
  now?: number | undefined
}

/**
 * The `eth_call` behind a quote, as `meta.call` says it, to be repeated on a node of your own: the same hints, gas price
 * and generation, on the same block. `decode` reads the node's answer.
 *
 * The call is derived again from the registry and the trade that the quote shows, so a service cannot have another
 * question repeated than the one that its answer is held against.
 *
 * @throws IntegrityError naming the check, if the quote does not say its call or the call is not of its trade;
 * InvalidParameterError if its chain is not in the registry.
 */
export function prepareRepeat(quote: RepeatableQuote, options: RepeatOptions): PreparedQuote {
  const { now = Date.now(), registry } = options
  const { call } = quote.meta ?? {}
  demand(call !== undefined, 'The quote does not say which call it comes from')
  const question = PlanCall.read(call.data.toLowerCase() as Hex)
  demand(question !== undefined, 'What the quote calls its call is no question to the Quoter')
  const isOfTrade =
    Addresses.equal(question.tokenIn, quote.tokenIn) &&
    Addresses.equal(question.tokenOut, quote.tokenOut) &&
    question.amountIn === quote.amountIn
  demand(isOfTrade, 'The call of the quote asks for another trade')
  const { amountIn, connectors, gasPrice, isExact, tokenIn, tokenOut } = question
  const request: QuoteRequest.QuoteRequest = {
    chain: chainOf(registry, quote.chainId, call.to),
    tokenIn: { address: tokenIn, isNative: false },
    tokenOut: { address: tokenOut, isNative: false },
    amountIn,
    recipient: undefined,
    slippageBps: undefined,
    deadlineSec: QuoteRequest.defaultDeadlineSec,
    isExact,
    gasPrice,
    connectors,
  }
  const { blockNumber } = call
  const funds = fundsOf(quote)
  const gas = gasOf(call.gas, question)
  return Preparation.from(request, { preparedAt: now, blockNumber, funds, gas }) as PreparedQuote
}

/** What the call was given: a heavy one finds more with more. */
function gasOf(gas: string, question: PlanCall.PlanQuestion): Hex {
  const isHex = /^0x[0-9a-f]{1,16}$/i.test(gas)
  const isFair = isHex && BigInt(gas) > 0n && BigInt(gas) <= PlanCall.fullGas(question)
  demand(isFair, 'The call of the quote has more gas than a quote takes')
  return gas as Hex
}

/** The input that a dry run is given: one slot of the input token, set to the amount, and nothing else. */
function fundsOf({ amountIn, meta, tokenIn }: RepeatableQuote): Preparation.from.Options['funds'] {
  const { stateOverride } = meta!.call!
  if (stateOverride === undefined) return undefined
  const contracts = Object.entries(stateOverride)
  const slots = contracts.flatMap(([, { stateDiff }]) => Object.entries(stateDiff))
  const [token] = contracts[0] ?? ['']
  const [slot, value] = slots[0] ?? ['', '0x']
  const isOnly = contracts.length === 1 && slots.length === 1 && Addresses.equal(token, tokenIn)
  demand(
    isOnly && /^0x[0-9a-f]{64}$/.test(slot) && BigInt(value) === amountIn,
    'The call of the quote changes more of the chain than the balance of the Quoter',
  )
  return { [tokenIn]: { stateDiff: { [slot]: value } } } as Preparation.from.Options['funds']
}

/** The chain in the generation whose Quoter was called. */
function chainOf(registry: Registry, chainId: number, quoter: string) {
  const chain = toDomain(registry).get(chainId)
  if (chain === undefined) throw refused('chain', 'is not in the registry', 'bad_chain')
  const found = Registries.versionsOf(chain)
    .map((version) => Registries.inVersion(chain, version)!)
    .find(({ contracts }) => Addresses.equal(contracts.quoter, quoter))
  demand(found !== undefined, 'The call of the quote is not to a Quoter of the registry')
  return found
}

function demand(holds: boolean, message: string): asserts holds {
  if (!holds) throw new IntegrityError('call', `${message}.`, { metaMessages: ['Do not sign it.'] })
}

/**
 * Whether two quotes are of the same outcome: the same legs with the same shares, and the same net output to the wei.
 */
export function isSameOutcome(a: Quote, b: Quote): boolean {
  return a.amountOut === b.amountOut && textOf(a.route) === textOf(b.route)
}

function textOf(route: Quote['route']): string {
  const { amountIn, grossOut, impactBps, legs, tokenIn, tokenOut } = route
  const parts = legs.map(({ key, pool, share, venue, ...leg }) =>
    [venue, pool, leg.tokenIn, leg.tokenOut, key, share].join(),
  )
  return [tokenIn, tokenOut, amountIn, grossOut, impactBps, ...parts].join(';').toLowerCase()
}
