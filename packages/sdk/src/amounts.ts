import { DecodeError } from './errors.js'
import type { Address, DecodeResponse, Hex, QuoteResponse } from './wire.js'

/**
 * Type of a member of a response: an `amount` as a decimal string, a `quantity` as in JSON-RPC, or an object or list that
 * contains some. `small` integers, such as basis points, are numbers in the API; strings are accepted too.
 */
type Shape =
  | 'amount'
  | 'quantity'
  | 'small'
  | 'amountOrNull'
  | 'numberOrNull'
  | { readonly [name: string]: Shape }
  | readonly [Shape]

/** Members of a quote that become `bigint`. In the API they are strings or small numbers. */
const quoteShape = {
  amountIn: 'amount',
  amountOut: 'amount',
  exactOutput: {
    amountOut: 'amount',
    amountInMax: 'amount',
    lowerBound: 'amountOrNull',
    gapBps: 'numberOrNull',
  },
  quote: {
    grossOut: 'amount',
    protocolFee: 'amount',
    netOut: 'amount',
    ironFloor: 'amount',
    effectiveMinOut: 'amount',
    estGas: 'amount',
    gasPriceWei: 'amount',
    gasCostOut: 'amount',
    integratorFee: 'amount',
    upperBound: 'amountOrNull',
    gapBps: 'numberOrNull',
  },
  route: {
    amountIn: 'amount',
    grossOut: 'amount',
    impactBps: 'small',
    legs: [{ key: 'amount', share: 'amount' }],
  },
  tx: { value: 'amount', gas: 'amount' },
  approval: { amount: 'amount' },
  permit: { nonce: 'amount', minOut: 'amount', deadline: 'amount', gas: 'amount' },
  issues: {
    allowance: { actual: 'amount', expected: 'amount' },
    balance: { actual: 'amount', expected: 'amount' },
  },
  calls: [{ value: 'quantity', gas: 'quantity' }],
  explain: {
    alternatives: [
      {
        grossOut: 'amount',
        amountOut: 'amount',
        legGas: 'amount',
        legs: [{ key: 'amount', amountIn: 'amount', amountOut: 'amount' }],
      },
    ],
    minimum: { bySlippage: 'amount', floor: 'amount', effective: 'amount' },
  },
} as const satisfies Shape

const decodedShape = {
  ...quoteShape,
  witness: { blockNumber: 'amount', timestamp: 'amount' },
} as const satisfies Shape

type HexName =
  | 'tokenIn'
  | 'tokenOut'
  | 'pool'
  | 'to'
  | 'token'
  | 'spender'
  | 'data'
  | 'blockHash'
  | 'owner'
  | 'recipient'
  | 'integrator'
  | 'parentHash'

/** Type of an API response with the amounts of `shape` as `bigint`, and addresses typed. */
type Parsed<wire, shape> = wire extends readonly (infer item)[]
  ? readonly Parsed<item, shape extends readonly [infer each] ? each : never>[]
  : wire extends object
    ? {
        readonly [name in keyof wire]: name extends keyof shape
          ? shape[name] extends 'amount' | 'quantity' | 'small' | 'amountOrNull'
            ? bigint | Exclude<wire[name], string | number>
            : shape[name] extends 'numberOrNull'
              ? wire[name]
              : Parsed<wire[name], shape[name]>
          : name extends HexName
            ? Hex | Exclude<wire[name], string>
            : wire[name]
      }
    : wire

/** A quote of the API, with amounts as `bigint` in base units. */
export type Quote = Parsed<QuoteResponse, typeof quoteShape>
/** A route, with amounts as bigint. */
export type Route = Quote['route']
/** A quote decoded from a node's response, with the checks that it passed and the block that it names. */
export type DecodedQuote = Parsed<DecodeResponse, typeof decodedShape>
/** An unsigned transaction, with amounts as bigint. */
export type Transaction = {
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  readonly gas?: bigint | undefined
}

/**
 * Parses a quote from JSON. Leaves out members that are `null`, except `upperBound` and `gapBps`, which are `null` if no
 * bound is claimed. Keeps unknown members unchanged.
 *
 * @throws DecodeError if a required member is missing, or an amount is malformed.
 */
export function parseQuote(body: unknown): Quote {
  return whole<Quote>(parse(body, quoteShape, ''))
}

/** Parses a decoded quote from JSON, as `parseQuote` does. */
export function parseDecodedQuote(body: unknown): DecodedQuote {
  return whole<DecodedQuote>(parse(body, decodedShape, ''))
}

function whole<quote extends Quote>(value: unknown): quote {
  const quote = value as quote
  const isWhole =
    typeof quote?.amountOut === 'bigint' &&
    typeof quote.amountIn === 'bigint' &&
    Array.isArray(quote.route?.legs)
  if (!isWhole) throw new DecodeError('is not a complete quote')
  return quote
}

function parse(value: unknown, shape: Shape | undefined, name: string): unknown {
  if (shape === undefined || shape === 'numberOrNull') return value
  if (shape === 'amountOrNull') return value === null ? null : parse(value, 'amount', name)
  if (shape === 'amount' || shape === 'small') {
    const isSmall = shape === 'small' && Number.isSafeInteger(value) && Number(value) >= 0
    if (!isSmall && !isDigits(value)) throw new DecodeError(`has an invalid amount in \`${name}\``)
    return BigInt(value as string | number)
  }
  if (shape === 'quantity') {
    if (typeof value !== 'string' || !/^0x[0-9a-f]+$/.test(value))
      throw new DecodeError(`has an invalid quantity in \`${name}\``)
    return BigInt(value)
  }
  if (typeof value !== 'object' || value === null) return value
  if (isList(shape))
    return Array.isArray(value) ? value.map((item) => parse(item, shape[0], name)) : value
  if (Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => member !== null || mayBeNull(shape[key]))
      .map(([key, member]) => [key, parse(member, shape[key], key)]),
  )
}

function isDigits(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9]+$/.test(value)
}

function mayBeNull(shape: Shape | undefined): boolean {
  return shape === 'amountOrNull' || shape === 'numberOrNull'
}

function isList(shape: Exclude<Shape, string>): shape is readonly [Shape] {
  return Array.isArray(shape)
}
