import { type QuoteParameters, Texts } from '@sluice/domain'
import type { Detail } from './ApiError.js'

/** The parameters in a query string, and those that were sent more than once. */
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
 * The parameters in an item of a batch, whose values are texts, numbers or booleans.
 *
 * A number must be a safe integer: beyond that JSON has already lost digits, and a wrong amount must not be quoted.
 * `exact` takes `true` for `1`, and `false` for leaving it out; no other parameter takes a boolean.
 */
export function givenFromItem(item: object): QuoteParameters.Given {
  const given = new Map<string, { text: string } | { problem: string }>()
  for (const [name, value] of Object.entries(item)) {
    if (name === 'exact' && value === false) continue
    given.set(name, textOf(name, value))
  }
  return given
}

function textOf(name: string, value: unknown): { text: string } | { problem: string } {
  if (typeof value === 'string') return { text: value }
  if (name === 'exact' && value === true) return { text: '1' }
  if (typeof value !== 'number') return { problem: 'must be a text or an integer' }
  return Number.isSafeInteger(value) && !Object.is(value, -0)
    ? { text: String(value) }
    : { problem: 'is not a safe integer as a JSON number; send it as a text of digits' }
}
