import type { Context } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { openHeaders } from './headers.js'

/**
 * A JSON answer with the headers that every answer has.
 *
 * Made in one piece from plain values, which the Node adapter writes out as they are: headers set one by one cost more
 * than the whole parsing of a request.
 */
export function respond(
  c: Context<AppEnv>,
  body: unknown,
  options: respond.Options = {},
): Response {
  return respondText(c, JSON.stringify(body), options)
}

/** The same for JSON that is written already. */
export function respondText(
  c: Context<AppEnv>,
  text: string,
  options: respond.Options = {},
): Response {
  const { headers, status = 200 } = options
  return new Response(text, {
    status,
    headers: {
      ...openHeaders,
      'content-type': 'application/json',
      'x-request-id': c.get('requestId'),
      ...headers,
    },
  })
}

export declare namespace respond {
  type Options = {
    /** @default 200 */
    status?: number
    headers?: Readonly<Record<string, string>>
  }
}
