import { type PreparedRequest, Texts } from '@sluice/domain'
import { z } from 'zod'
import { ApiError } from './ApiError.js'
import { maxPrepareItems } from './parseBatch.js'
import { decodeItem } from './preparation.js'
import { readJsonObject } from './readJsonObject.js'

/** Body of a decode request: one item, or several. Items are validated later, one by one. */
export type DecodeAsk =
  | { readonly kind: 'single'; readonly item: unknown }
  | { readonly kind: 'items'; readonly items: readonly unknown[] }

/** A prepared request with a node's response to it. */
export type PreparedAnswer = {
  readonly prepared: PreparedRequest.PreparedRequest & { readonly mac?: string | undefined }
  /** Return data of the call, in hexadecimal. */
  readonly result: string
}

const envelope = z.strictObject({
  items: z
    .array(z.unknown(), 'must be an array')
    .min(1, 'must hold at least one item')
    .max(maxPrepareItems, `must hold at most ${maxPrepareItems} items`),
})

/**
 * Parses the body of POST /api/quote/decode.
 *
 * @throws ApiError `bad_body` if it is not a JSON object, `bad_batch` if `items` is invalid.
 */
export function parseDecode(text: string): DecodeAsk {
  const body = readJsonObject(text, 'a JSON object with `request` and `result`, or with `items`')
  if (!Object.hasOwn(body, 'items')) return { kind: 'single', item: body }
  const parsed = envelope.safeParse(body)
  if (parsed.success) return { kind: 'items', items: parsed.data.items }
  const issue = parsed.error.issues[0]!
  const reason =
    issue.code === 'unrecognized_keys' ? 'must be the only member of the body' : issue.message
  const details = [{ field: 'items', code: 'bad_batch' as const, reason }]
  throw new ApiError('bad_batch', `\`items\` ${reason}.`, { details })
}

/**
 * Parses one prepared request with the node's response.
 *
 * @throws ApiError `bad_request`, `bad_result` or `bad_body`
 */
export function parseDecodeItem(item: unknown): PreparedAnswer {
  const parsed = decodeItem.safeParse(item)
  if (!parsed.success) throw toError(item, parsed.error)
  const { request, result } = parsed.data
  return {
    prepared: request as PreparedAnswer['prepared'],
    result: typeof result === 'string' ? result : result.result,
  }
}

function toError(item: unknown, { issues }: z.ZodError): ApiError {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return new ApiError('bad_body', 'Each item must be an object with `request` and `result`.')
  const inRequest = issues.find(({ path }) => path[0] === 'request')
  if (inRequest !== undefined) {
    const field = inRequest.path.join('.')
    const reason = 'differs from what prepare returned: send `request` unchanged'
    const details = [{ field, code: 'bad_request' as const, reason }]
    return new ApiError('bad_request', `\`${field}\` ${reason}.`, { details })
  }
  if (issues.some(({ path }) => path[0] === 'result')) {
    const isRefusal =
      Object.hasOwn(item, 'result') &&
      Object.hasOwn(Object((item as { result: unknown }).result), 'error')
    const reason = isRefusal
      ? 'is an error of the node, not a result'
      : 'must be what the node returned: 0x and hexadecimal digits, or its JSON-RPC response'
    const details = [{ field: 'result', code: 'bad_result' as const, reason }]
    return new ApiError('bad_result', `\`result\` fails the check "strict": it ${reason}.`, {
      details,
    })
  }
  const extra = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []))[0]
  return new ApiError(
    'bad_body',
    `\`${Texts.shownName(extra ?? '')}\` is not a member of a decode body.`,
  )
}
