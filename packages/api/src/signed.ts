import { z } from 'zod'
import { ApiError } from './ApiError.js'
import { address, integer } from './fields.js'
import { readJsonObject } from './readJsonObject.js'
import { permitResponse, routeResponse, transaction } from './responses.js'

/** Body of POST /api/quote/signed. Only these members of the quote are read; others are ignored. */
export const signedEnvelope = z.strictObject({
  quote: z
    .looseObject({ chainId: integer, route: routeResponse, permit: permitResponse })
    .describe('The quote response with `permit`, unchanged.'),
  signature: z
    .string('must be 0x and hexadecimal digits')
    .regex(/^0x([0-9a-fA-F]{2}){1,4096}$/, 'must be 0x and hexadecimal digits')
    .describe('Signature of `permit.typedData` by `permit.owner`.'),
})

/** Schema of the response of POST /api/quote/signed. */
export const signedResponse = z.object({
  ok: z.literal(true),
  chainId: integer,
  owner: address.describe('Owner of the tokens that are sold.'),
  tx: transaction.describe(
    'The swap with its signature. With `permit2` anyone may send it, with `permit` only the owner.',
  ),
})

export type SignedResponse = z.infer<typeof signedResponse>
export type SignedEnvelope = z.infer<typeof signedEnvelope>

/**
 * Parses the body of POST /api/quote/signed.
 *
 * @throws ApiError `bad_body` if it is not a JSON object, `bad_request` if a member is invalid.
 */
export function parseSigned(text: string): SignedEnvelope {
  const parsed = signedEnvelope.safeParse(
    readJsonObject(text, 'a JSON object with `quote` and `signature`'),
  )
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const field = issue.path.join('.') || 'quote'
  const reason =
    field === 'signature'
      ? 'must be 0x and hexadecimal digits'
      : 'differs from the response of GET /api/quote with `signature`: send that whole response as `quote`'
  const details = [{ field, code: 'bad_request' as const, reason }]
  throw new ApiError('bad_request', `\`${field}\` ${reason}.`, { details })
}
