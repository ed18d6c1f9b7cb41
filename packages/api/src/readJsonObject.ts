import { ApiError } from './ApiError.js'
import { scanJson } from './scanJson.js'

/**
 * Reads a body.
 *
 * @throws ApiError `bad_body` if it is no JSON object.
 */
export function readJsonObject(text: string, wanted: string): object {
  const refused = scanJson(text)
  if (refused !== undefined) throw new ApiError('bad_body', `The body ${refused}.`)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new ApiError('bad_body', 'The body is not valid JSON.')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ApiError('bad_body', `The body must be ${wanted}.`)
  return body
}
