import { InvalidParameterError } from './errors.js'
import type { ParameterName, RequiredParameter } from './wire.js'

/** Where TypeScript has a better form than the wire's text. */
type Natural = {
  /** Chain id or name. */
  chain: number | string
  /** Integer in the input token's base units; a `number` is refused, because it loses digits. */
  amountIn: bigint | string
  slippageBps: number
  deadlineSec: number
  /** Execution grade: slower, never cached. */
  exact: boolean
  gasPrice: bigint | string
  connectors: readonly string[]
  /** Generation of the protocol. */
  version: number | string
}

type Form<name> = name extends keyof Natural ? Natural[name] : string

/** What a quote is asked with; the names are those of the API. */
export type QuoteParameters = {
  readonly [name in RequiredParameter]: Form<name>
} & {
  readonly [name in Exclude<ParameterName, RequiredParameter>]?: Form<name> | null | undefined
}

/** Parameters whose integers outgrow a `number`, with the form of their text. */
const amounts: Readonly<Record<string, RegExp>> = {
  amountIn: /^[0-9]{1,77}$/,
  gasPrice: /^[0-9]{1,30}$/,
}

/**
 * The texts of the wire. Absent and `null` are the same.
 *
 * @throws InvalidParameterError for an amount that is no `bigint` or text of digits, and for a number that is no integer.
 */
export function encodeParameters(parameters: QuoteParameters): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(parameters)) {
    const text = textOf(name, value)
    if (text !== undefined) texts[name] = text
  }
  return texts
}

function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const shape = amounts[name]
  if (shape) {
    if (typeof value === 'number')
      throw refused(name, 'is a number, which loses digits; pass a bigint or a text')
    const text = String(value)
    if (!shape.test(text)) throw refused(name, 'must be an integer in base units, in digits')
    return text
  }
  if (name === 'exact') return value === true || value === '1' ? '1' : undefinedUnlessFalse(value)
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.join(',')
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw refused(name, 'is not an integer')
  return String(value)
}

/** Only `false` means "not"; anything else is a mistake. */
function undefinedUnlessFalse(value: unknown): undefined {
  if (value !== false) throw refused('exact', 'must be true or left out')
  return undefined
}

const codes: Readonly<Record<string, string>> = {
  chain: 'bad_chain',
  amountIn: 'bad_amount_in',
  slippageBps: 'bad_slippage_bps',
  deadlineSec: 'bad_deadline_sec',
  exact: 'bad_exact',
  version: 'bad_version',
}

/** The error that the service would give, before it is asked. */
export function refused(field: string, reason: string, code?: string): InvalidParameterError {
  const known = code ?? codes[field] ?? 'bad_param'
  return new InvalidParameterError(`\`${field}\` ${reason}.`, {
    code: known,
    details: [{ field, code: known, reason }],
  })
}
