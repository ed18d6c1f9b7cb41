import { Texts } from '@sluice/domain'
import { z } from 'zod'
import { ApiError } from './ApiError.js'
import { quoteItem } from './parameters.js'
import { readJsonObject } from './readJsonObject.js'

/** Maximum number of quotes in one batch. */
export const maxBatchItems = 10
/** Maximum number of items in one batch to prepare or to decode. More than for quotes, because no node is asked. */
export const maxPrepareItems = 32

/** Schema of a batch's items, which are validated one by one. */
function requestsOf(maxItems: number) {
  return z
    .array(quoteItem, 'must be an array')
    .min(1, 'must hold at least one request')
    .max(maxItems, `must hold at most ${maxItems} requests`)
    .describe('Objects with the keys of the GET /api/quote query parameters.')
}

/** Where prepared calls have their state override: once per chain in `overrides`, or inside each call. */
const overrideForms = ['shared', 'inline'] as const
export type OverrideForm = (typeof overrideForms)[number]

/** Body of POST /api/quote/batch. Its items are validated one by one. */
export const batchEnvelope = z.strictObject({ requests: requestsOf(maxBatchItems) })
/** Body of POST /api/quote/prepare. Its items are validated one by one. */
export const prepareEnvelope = z.strictObject({
  requests: requestsOf(maxPrepareItems),
  overrides: z
    .enum(overrideForms, 'must be `shared` or `inline`')
    .optional()
    .describe(
      'Additive. On a chain without a deployment, each call needs a state override with the contracts. `shared` (the default) puts it once per chain into `overrides` of the response; `inline` puts it into each call, for at most 4 calls. Not to be confused with `overrides` of an item, the state to quote on; such an item is always `inline`.',
    ),
})

/**
 * Parses the body of POST /api/quote/batch.
 *
 * @throws ApiError `bad_body` if it is not a JSON object, `bad_batch` if the envelope is invalid.
 */
export function parseBatch(text: string): readonly unknown[] {
  return parseEnvelope(text, batchEnvelope).requests
}

/**
 * Parses the body of POST /api/quote/prepare.
 *
 * @throws ApiError `bad_body` if it is not a JSON object, `bad_batch` if the envelope is invalid.
 */
export function parsePrepareBatch(text: string): {
  requests: readonly unknown[]
  overrides: OverrideForm
} {
  const { overrides = 'shared', requests } = parseEnvelope(text, prepareEnvelope)
  return { requests, overrides }
}

function parseEnvelope<envelope extends z.ZodObject>(
  text: string,
  schema: envelope,
): z.output<envelope> {
  const envelope = schema.safeParse(readJsonObject(text, 'a JSON object with `requests`'))
  if (envelope.success) return envelope.data
  const details = envelope.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => wrong(Texts.shownName(key), 'is not a member of the envelope'))
      : [wrong(String(issue.path[0] ?? 'requests'), issue.message)],
  )
  throw ApiError.ofDetails(details)
}

function wrong(field: string, reason: string) {
  return { field, code: 'bad_batch' as const, reason }
}
