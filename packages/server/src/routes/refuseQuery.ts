import { ApiError } from '@sluice/api'
import { Texts } from '@sluice/domain'
import { queryOf } from '../http/queryOf.js'

/**
 * Rejects unknown and repeated query parameters, on paths that take few or none.
 *
 * @throws ApiError `bad_param`
 */
export function refuseQuery(url: string, known: readonly string[] = []): URLSearchParams {
  const query = queryOf(url)
  const names = [...query.keys()]
  const wrong = names.find((name, index) => !known.includes(name) || names.indexOf(name) !== index)
  if (wrong === undefined) return query
  const field = Texts.shownName(wrong)
  const reason = known.includes(wrong) ? 'was sent more than once' : 'is not a parameter'
  throw new ApiError('bad_param', `\`${field}\` ${reason} here.`, {
    details: [{ field, code: 'bad_param', reason }],
  })
}
