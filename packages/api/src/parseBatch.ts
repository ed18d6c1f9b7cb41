import { Texts } from '@sluice/domain'
import { z } from 'zod'
import { ApiError } from './ApiError.js'
import { quoteItem } from './parameters.js'
import { readJsonObject } from './readJsonObject.js'

/** Most quotes in one batch. */
export const maxBatchItems = 10
/** Most prepared requests, or decoded answers, in one batch: they cost no node anything. */
export const maxPrepareItems = 32

/** A batch's items, which are judged one by one. */
function requestsOf(maxItems: number) {
  return z
    .array(quoteItem, 'must be an array')
    .min(1, 'must hold at least one request')
    .max(maxItems, `must hold at most ${maxItems} requests`)
    .describe('Objects with the keys of the GET /api/quote query parameters.')
}

/** How prepared calls give the state override that they need: once for each chain in `overrides`, or inside each call. */
const overrideForms = ['shared', 'inline'] as const
export type OverrideForm = (typeof overrideForms)[number]

/** Body of POST /api/quote/batch; its items are checked one by one. */
export const batchEnvelope = z.strictObject({ requests: requestsOf(maxBatchItems) })
/** Body of POST /api/quote/prepare; its items are checked one by one. */
export const prepareEnvelope = z.strictObject({
  requests: requestsOf(maxPrepareItems),
  overrides: z
    .enum(overrideForms, 'must be `shared` or `inline`')
    .optional()
    .describe(
      'Additive. Where nothing is deployed, each call brings contracts along: `shared` (the default) gives them once for each chain in `overrides`, `inline` in each call, for at most 4 of them.',
    ),
})

/**
 * Reads a batch body.
 *
 * @throws ApiError `bad_body` if it is no JSON object, `bad_batch` if the envelope is wrong.
 */
export function parseBatch(text: string): readonly unknown[] {
  return parseEnvelope(text, batchEnvelope).requests
}

/**
 * Reads the body of a batch to prepare.
 *
 * @throws ApiError `bad_body` if it is no JSON object, `bad_batch` if the envelope is wrong.
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
  throw new ApiError('bad_batch', `\`${details[0]!.field}\` ${details[0]!.reason}.`, { details })
}

function wrong(field: string, reason: string) {
  return { field, code: 'bad_batch' as const, reason }
}
