import type { Context } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { compress, encodingFor } from './compress.js'
import { openHeaders } from './headers.js'

/**
 * Returns a JSON response with the headers that every response has.
 *
 * Creates the response from plain values, which the Node adapter writes directly. Setting headers one by one takes
 * longer than parsing a whole request.
 */
export function respond(
  c: Context<AppEnv>,
  body: unknown,
  options: respond.Options = {},
): Response | Promise<Response> {
  return respondText(c, JSON.stringify(body), options)
}

/** The same for text that is already encoded. */
export function respondText(
  c: Context<AppEnv>,
  text: string,
  options: respond.Options = {},
): Response | Promise<Response> {
  const { headers, status = 200 } = options
  const all = {
    ...openHeaders,
    'content-type': 'application/json',
    'x-request-id': c.get('requestId'),
    ...headers,
  }
  const encoding = encodingOf(c)
  const compressed = compress(text, encoding)
  if (compressed === undefined) return new Response(text, { status, headers: all })
  const give = (bytes: Buffer) =>
    new Response(bytes as Uint8Array<ArrayBuffer>, {
      status,
      headers: { ...all, 'content-encoding': encoding! },
    })
  return compressed instanceof Promise ? compressed.then(give) : give(compressed)
}

/** Returns the encoding for the caller of a request. HEAD responses have nothing to compress. */
export function encodingOf(c: Context<AppEnv>) {
  const incoming = c.env?.isInner ? undefined : c.env?.incoming
  if (incoming === undefined || incoming.method === 'HEAD') return undefined
  return encodingFor(`${incoming.headers['accept-encoding'] ?? ''}`)
}

export declare namespace respond {
  type Options = {
    /** @default 200 */
    status?: number
    headers?: Readonly<Record<string, string>>
  }
}
