import { ApiError, operationAt } from '@sluice/api'

const maxBodyBytes = 64 * 1024

/**
 * Reads a JSON body as text. Counts the bytes that arrive against the limit of the path, so a missing or false
 * content-length does not help.
 *
 * @throws ApiError
 */
export async function readJsonBody(request: Request): Promise<string> {
  const refusal = refusalOf(request)
  if (refusal !== undefined) throw refusal
  return decode(await readBytes(request))
}

/**
 * Waits for the whole body of a request and returns the request with it. Returns the request unchanged if its headers
 * alone are a reason to refuse it.
 *
 * @throws ApiError
 */
export async function withWholeBody(request: Request): Promise<Request> {
  const { headers, method } = request
  if (method === 'GET' || method === 'HEAD' || refusalOf(request) !== undefined) return request
  const body = await readBytes(request)
  return new Request(request.url, { method, headers, body, signal: request.signal })
}

/**
 * Returns whether a content type is JSON in UTF-8. Uses no pattern with optional blanks, which could take quadratic
 * time.
 */
export function isJson(contentType: string): boolean {
  const [type = '', parameter = '', ...others] = contentType.toLowerCase().split(';', 3)
  const charset = parameter.trim()
  return (
    type.trimEnd() === 'application/json' &&
    ['', 'charset=utf-8', 'charset="utf-8"'].includes(charset) &&
    others.length === 0
  )
}

/** Returns why a body is refused by its headers, if it is. */
function refusalOf(request: Request): ApiError | undefined {
  const { headers } = request
  const unsupported = (message: string) => new ApiError('bad_body', message, { status: 415 })
  if (!isJson(headers.get('content-type') ?? ''))
    return unsupported('The content-type must be application/json, in UTF-8.')
  if (headers.has('content-encoding')) return unsupported('A content-encoding is not accepted.')
  const maxBytes = maxBytesOf(request)
  const announced = Number(headers.get('content-length') ?? 0)
  return announced > maxBytes ? tooLarge(maxBytes) : undefined
}

function maxBytesOf({ url }: Request): number {
  return operationAt(new URL(url).pathname)?.maxBodyBytes ?? maxBodyBytes
}

async function readBytes(request: Request): Promise<Buffer<ArrayBuffer>> {
  const maxBytes = maxBytesOf(request)
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    // The client stopped, or sent malformed HTTP.
    throw new ApiError('bad_request', 'The body did not arrive completely.', { cause: error })
  }
  return Buffer.concat(chunks)
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ApiError('bad_body', 'The body is not UTF-8.', { cause })
  }
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('too_large', `The body is longer than ${maxBytes} bytes.`)
}
