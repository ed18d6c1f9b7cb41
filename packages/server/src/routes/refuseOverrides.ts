import { ApiError } from '@sluice/api'
import type { QuoteRequest } from '@sluice/domain'

/**
 * Refuses a state of the caller's where an answer could not say that it is one, or would follow a chain that never has it.
 *
 * @throws ApiError `bad_param`
 */
export function refuseOverrides({ overrides }: QuoteRequest.QuoteRequest): void {
  if (overrides === undefined) return
  const reason = 'is not accepted here; send it to GET /api/quote or POST /api/quote/batch'
  const details = [{ field: 'overrides', code: 'bad_param' as const, reason }]
  throw new ApiError('bad_param', `\`overrides\` ${reason}.`, { details })
}
