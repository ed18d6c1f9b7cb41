import { z } from 'zod'
import { ApiError } from './ApiError.js'
import { quoteParameters } from './parameters.js'

const [least, most] = [240, 2_000] as const
const usual = 640
const problem = `must be an integer from ${least} to ${most}`

/** Query of GET /api/quote/route.svg. */
export const pictureParameters = quoteParameters.extend({
  width: z
    .string()
    .regex(/^[0-9]{3,4}$/, problem)
    .refine((text) => Number(text) >= least && Number(text) <= most, problem)
    .optional()
    .describe(
      `Additive. Room for the picture in pixels, ${least} to ${most}; default ${usual}. In less than 480 the route flows from top to bottom, for a phone.`,
    ),
})

/**
 * Splits the query of a picture into its width and the query of the quote.
 *
 * @throws ApiError
 */
export function splitPictureQuery(text: string): { quoteQuery: string; width: number } {
  const query = new URLSearchParams(text)
  const given = query.getAll('width')
  const parsed = pictureParameters.shape.width.safeParse(given[0])
  const reason = given.length > 1 ? 'was sent more than once' : parsed.error?.issues[0]?.message
  if (reason !== undefined)
    throw ApiError.ofDetails([{ field: 'width', code: 'bad_param', reason }])
  query.delete('width')
  return { quoteQuery: query.toString(), width: Number(parsed.data ?? usual) }
}
