import { z } from 'zod'
import { ApiError } from './ApiError.js'
import { scanJson } from './scanJson.js'

/** Most quotes in one batch. */
export const maxBatchItems = 10

/** A batch's envelope; its items are judged one by one. */
export const batchEnvelope = z.strictObject({
  requests: z
    .array(z.unknown(), 'must be an array')
    .min(1, 'must hold at least one request')
    .max(maxBatchItems, `must hold at most ${maxBatchItems} requests`)
    .describe('Objects with the keys of the GET /api/quote query parameters.'),
})

/**
 * Reads a batch body.
 *
 * @throws ApiError `bad_body` where it is no JSON object, `bad_batch` where the envelope is wrong.
 */
export function parseBatch(text: string): readonly unknown[] {
  const refused = scanJson(text)
  if (refused !== undefined) throw new ApiError('bad_body', `The body ${refused}.`)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new ApiError('bad_body', 'The body is not valid JSON.')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ApiError('bad_body', 'The body must be a JSON object with `requests`.')
  const envelope = batchEnvelope.safeParse(body)
  if (envelope.success) return envelope.data.requests
  const details = envelope.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => wrong(key.slice(0, 64), 'is not a member of the envelope'))
      : [wrong(String(issue.path[0] ?? 'requests'), issue.message)],
  )
  throw new ApiError('bad_batch', `\`${details[0]!.field}\` ${details[0]!.reason}.`, { details })
}

function wrong(field: string, reason: string) {
  return { field, code: 'bad_batch' as const, reason }
}
