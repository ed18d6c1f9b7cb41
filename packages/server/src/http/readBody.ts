import { ApiError } from '@sluice/api'

const maxBodyBytes = 64 * 1024
/** Room for 32 answers of nodes with long routes, and for ten messages to `/mcp`. */
export const maxLargeBodyBytes = 256 * 1024
const largeBodies = new Set(['/api/quote/decode', '/mcp'])

/** Largest body that is read at a path. */
export function maxBytesAt(path: string): number {
  return largeBodies.has(path) ? maxLargeBodyBytes : maxBodyBytes
}

/**
 * Reads a JSON body as text. The limit is counted on the bytes that arrive, so a body without or with a false length is
 * held to it too.
 *
 * @throws ApiError
 */
export async function readJsonBody(request: Request, maxBytes = maxBodyBytes): Promise<string> {
  if (!isJson(request.headers.get('content-type') ?? ''))
    throw new ApiError('bad_body', 'The content-type must be application/json, in UTF-8.', {
      status: 415,
    })
  if (request.headers.has('content-encoding'))
    throw new ApiError('bad_body', 'A content-encoding is not accepted.', { status: 415 })
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > maxBytes) throw tooLarge(maxBytes)
  return decode(await readBytes(request, maxBytes))
}

/** Whether a content type is JSON in UTF-8. In one pass: a pattern with optional blanks tries every way to share them out. */
export function isJson(contentType: string): boolean {
  const [type = '', parameter = '', ...others] = contentType.toLowerCase().split(';', 3)
  const charset = parameter.trim()
  return (
    type.trimEnd() === 'application/json' &&
    ['', 'charset=utf-8', 'charset="utf-8"'].includes(charset) &&
    others.length === 0
  )
}

/**
 * The same request once all of its body is here, so that nothing is held for whoever sends slowly. One that is refused
 * without being read is left as it is.
 *
 * @throws ApiError
 */
export async function withWholeBody(request: Request, maxBytes: number): Promise<Request> {
  const { headers, method } = request
  if (method === 'GET' || method === 'HEAD') return request
  const announced = Number(headers.get('content-length') ?? 0)
  const isRead = isJson(headers.get('content-type') ?? '') && !headers.has('content-encoding')
  if (!isRead || announced > maxBytes) return request
  const body = await readBytes(request, maxBytes)
  return new Request(request.url, { method, headers, body, signal: request.signal })
}

async function readBytes(request: Request, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
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
    // Whoever sends it stopped, or sent what is no HTTP: no fault of ours.
    throw new ApiError('bad_request', 'The body did not arrive as a whole.', { cause: error })
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
  return new ApiError('too_large', `The body is above ${maxBytes} bytes.`)
}
