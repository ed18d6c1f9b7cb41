import { InvalidParameterError } from './errors.js'
import { parseJson } from './parseJson.js'
import type { Address, Hex, ParameterName, RequiredParameter } from './wire.js'

/**
 * A state to quote on: what a pending transaction would change, in the form of the third parameter of an `eth_call`. Slots and
 * values have 32 bytes.
 */
export type Overrides = {
  readonly [address: Address]: {
    /** Native coin in wei. */
    readonly balance?: bigint | Hex | undefined
    readonly stateDiff?: { readonly [slot: Hex]: Hex } | undefined
  }
}

/** Types of parameters that are better than strings in TypeScript. */
type Natural = {
  /** Chain id or name. */
  chain: number | string
  /** Integer in base units of the input token. A `number` is rejected, because it can lose digits. */
  amountIn: bigint | string
  /** Integer in base units of the output token, in place of `amountIn`. */
  amountOut: bigint | string
  slippageBps: number
  deadlineSec: number
  /** What `integrator` takes, in basis points of the gross output. */
  integratorFeeBps: number
  /** Prices the route with a dry run on the live pools: slower, never cached. */
  exact: boolean
  /** Adds the value of both amounts in US dollars. */
  usd: boolean
  /** Adds the call, and what other routes would deliver. */
  explain: boolean
  gasPrice: bigint | string
  connectors: readonly string[]
  /** Addresses, or ids of 32 bytes, of pools that no contract lists by their pair. */
  pools: readonly string[]
  /** Names of the only venues that the route may use. */
  includeSources: readonly string[]
  /** Names of the venues that the route may not use. */
  excludeSources: readonly string[]
  /** A state to quote on, or its JSON. The quote says so, has no transaction, and is never shared. */
  overrides: Overrides | string
  /** Generation of the protocol. */
  version: number | string
}

type Form<name> = name extends keyof Natural ? Natural[name] : string

/** Parameters of a quote, with the names of the API. Exactly one of `amountIn` and `amountOut` is set. */
export type QuoteParameters = {
  readonly [name in RequiredParameter]: Form<name>
} & {
  readonly [name in Exclude<ParameterName, RequiredParameter | AmountName>]?:
    | Form<name>
    | null
    | undefined
} & (Amount<'amountIn', 'amountOut'> | Amount<'amountOut', 'amountIn'>)

type AmountName = 'amountIn' | 'amountOut'
type Amount<given, absent extends string> = {
  readonly [name in given & string]: Form<name>
} & { readonly [name in absent]?: null | undefined }

/** Formats of parameters whose integers can exceed a `number`. */
const amounts: Readonly<Record<string, RegExp>> = {
  amountIn: /^\d{1,77}$/,
  amountOut: /^\d{1,77}$/,
  gasPrice: /^\d{1,30}$/,
}

/**
 * Encodes parameters as strings for the API. `null` means absent.
 *
 * @throws InvalidParameterError if an amount is not a `bigint` or a string of digits, or if a number is not an integer.
 */
export function encodeParameters(parameters: QuoteParameters): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(parameters)) {
    const text = textOf(name, value)
    if (text !== undefined) texts[name] = text
  }
  return texts
}

/**
 * Encodes parameters for an item of a batch, where `overrides` is an object. The service refuses a text that is not JSON.
 *
 * @throws InvalidParameterError as `encodeParameters` does.
 */
export function encodeItem(parameters: QuoteParameters): Record<string, unknown> {
  const { overrides, ...texts } = encodeParameters(parameters)
  return overrides ? { ...texts, overrides: parseJson(overrides) ?? overrides } : texts
}

function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const shape = amounts[name]
  if (shape) {
    if (typeof value === 'number')
      throw refused(name, 'is a number, which can lose digits; pass a bigint or a string')
    const text = String(value)
    if (!shape.test(text))
      throw refused(name, 'must be an integer in base units, as a bigint or a string of digits')
    return text
  }
  if (name === 'exact' || name === 'usd' || name === 'explain') {
    if (value === true || value === '1') return '1'
    if (value !== false) throw refused(name, 'must be true or left out')
    return undefined
  }
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.join(',')
  if (typeof value === 'object')
    return JSON.stringify(value, (_, member) =>
      typeof member === 'bigint' ? `0x${member.toString(16)}` : member,
    )
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw refused(name, 'must be an integer')
  return String(value)
}

const codes: Readonly<Record<string, string>> = {
  chain: 'bad_chain',
  amountIn: 'bad_amount_in',
  amountOut: 'bad_amount_out',
  slippageBps: 'bad_slippage_bps',
  deadlineSec: 'bad_deadline_sec',
  exact: 'bad_exact',
  version: 'bad_version',
}

/** Creates the error that the service would return for a parameter, without a request. */
export function refused(
  field: string,
  reason: string,
  code = codes[field] ?? 'bad_param',
): InvalidParameterError {
  const details = [{ field, code, reason }]
  return new InvalidParameterError(`\`${field}\` ${reason}.`, { code, details })
}
