import { z } from 'zod'
import { ApiError } from './ApiError.js'
import { quoteItem } from './parameters.js'
import { readJsonObject } from './readJsonObject.js'
import { shownName } from './shownName.js'

/** Most quotes in one batch. */
export const maxBatchItems = 10
/** Most prepared requests, or decoded answers, in one batch: they cost no node anything. */
export const maxPrepareItems = 32

/** A batch's envelope; its items are judged one by one. */
function envelopeOf(maxItems: number) {
  return z.strictObject({
    requests: z
      .array(quoteItem, 'must be an array')
      .min(1, 'must hold at least one request')
      .max(maxItems, `must hold at most ${maxItems} requests`)
      .describe('Objects with the keys of the GET /api/quote query parameters.'),
  })
}

export const batchEnvelope = envelopeOf(maxBatchItems)
export const prepareEnvelope = envelopeOf(maxPrepareItems)

/**
 * Reads a batch body.
 *
 * @throws ApiError `bad_body` where it is no JSON object, `bad_batch` where the envelope is wrong.
 */
export function parseBatch(
  text: string,
  schema: typeof batchEnvelope = batchEnvelope,
): readonly unknown[] {
  const envelope = schema.safeParse(readJsonObject(text, 'a JSON object with `requests`'))
  if (envelope.success) return envelope.data.requests
  const details = envelope.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => wrong(shownName(key), 'is not a member of the envelope'))
      : [wrong(String(issue.path[0] ?? 'requests'), issue.message)],
  )
  throw new ApiError('bad_batch', `\`${details[0]!.field}\` ${details[0]!.reason}.`, { details })
}

function wrong(field: string, reason: string) {
  return { field, code: 'bad_batch' as const, reason }
}
