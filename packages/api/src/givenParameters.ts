import { QuoteParameters, Texts } from '@sluice/domain'
import type { Detail } from './ApiError.js'

/** Reads the parameters of a query string, and reports those that were sent more than once. */
export function givenFromQuery(query: URLSearchParams): {
  given: QuoteParameters.Given
  repeated: readonly Detail[]
} {
  const given = new Map<string, { text: string }>()
  const repeated = new Set<string>()
  for (const [name, text] of query) {
    if (given.has(name)) repeated.add(name)
    else given.set(name, { text })
  }
  return {
    given,
    repeated: [...repeated].map((name) => ({
      field: Texts.shownName(name),
      code: 'bad_param',
      reason: 'was sent more than once',
    })),
  }
}

/**
 * Reads the parameters of a batch item, whose values are strings, numbers, booleans or the object of `overrides`.
 *
 * A number must be a safe integer: JSON parsing has rounded a larger one, and a wrong amount must not be quoted.
 * Flags take `true` for `1`, and `false` means absent. No other parameter takes a boolean.
 */
export function givenFromItem(item: object): QuoteParameters.Given {
  const given = new Map<string, { text: string } | { problem: string }>()
  for (const [name, value] of Object.entries(item)) {
    if (flags.has(name) && value === false) continue
    given.set(name, textOf(name, value))
  }
  return given
}

const flags: ReadonlySet<string> = new Set(QuoteParameters.flags)

function textOf(name: string, value: unknown): { text: string } | { problem: string } {
  if (typeof value === 'string') return { text: value }
  if (flags.has(name) && value === true) return { text: '1' }
  if (name === 'overrides' && typeof value === 'object') return { text: JSON.stringify(value) }
  if (typeof value !== 'number') return { problem: 'must be a string or an integer' }
  return Number.isSafeInteger(value) && !Object.is(value, -0)
    ? { text: String(value) }
    : { problem: 'is not a safe integer; send it as a string of digits' }
}
