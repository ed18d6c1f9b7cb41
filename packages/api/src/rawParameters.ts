import type { Detail } from './ApiError.js'
import type { RawParameters } from './parseQuoteRequest.js'
import { shownName } from './shownName.js'

/** Parameters of a query string, and those that were sent more than once. */
export function rawFromQuery(query: URLSearchParams): {
  raw: RawParameters
  repeated: readonly Detail[]
} {
  const raw = new Map<string, { text: string }>()
  const repeated = new Set<string>()
  for (const [name, text] of query) {
    if (raw.has(name)) repeated.add(name)
    else raw.set(name, { text })
  }
  return {
    raw,
    repeated: [...repeated].map((name) => ({
      field: shownName(name),
      code: 'bad_param',
      reason: 'was sent more than once',
    })),
  }
}

/**
 * Parameters of a batch item, whose values are text, number or boolean.
 *
 * A number must be a safe integer: beyond that JSON has already lost digits, and a wrong amount must not be quoted.
 * `exact` takes `true` for `1`, and `false` for leaving it out; no other parameter takes a boolean.
 */
export function rawFromItem(item: object): RawParameters {
  const raw = new Map<string, { text: string } | { problem: string }>()
  for (const [name, value] of Object.entries(item)) {
    if (name === 'exact' && value === false) continue
    raw.set(name, textOf(name, value))
  }
  return raw
}

function textOf(name: string, value: unknown): { text: string } | { problem: string } {
  if (typeof value === 'string') return { text: value }
  if (name === 'exact' && value === true) return { text: '1' }
  if (typeof value !== 'number') return { problem: 'must be a text or an integer' }
  return Number.isSafeInteger(value) && !Object.is(value, -0)
    ? { text: String(value) }
    : { problem: 'is not a safe integer as a JSON number; send it as a text of digits' }
}
