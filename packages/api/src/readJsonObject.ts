import { ApiError } from './ApiError.js'
import { scanJson } from './scanJson.js'

/**
 * Parses a body as a JSON object.
 *
 * @param wanted Description of the expected object, for the error message.
 * @throws ApiError `bad_body` if the body is not a JSON object.
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
