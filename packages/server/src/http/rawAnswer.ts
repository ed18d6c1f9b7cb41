import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ApiError, encodeError } from '@sluice/api'
import { openHeaders } from './headers.js'
import { requestIdFrom } from './requestId.js'

/** An error answer's body and headers, for where no request reaches the app. */
export function errorAnswer(error: ApiError) {
  const requestId = requestIdFrom(undefined)
  const body = JSON.stringify(encodeError(error, requestId))
  const headers = {
    ...openHeaders,
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
  }
  return { body, headers }
}

/**
 * Answers a request that the app never sees.
 *
 * @returns The id that it was given.
 */
export function refuse(
  outgoing: ServerResponse,
  error: ApiError,
  extra: Readonly<Record<string, string>> = {},
): string {
  const { body, headers } = errorAnswer(error)
  outgoing.writeHead(error.status, { ...headers, ...extra }).end(body)
  return headers['x-request-id']
}

/** Writes an error answer straight to the socket: the parser has given up on the request. */
export function answerOnSocket(socket: Duplex, error: ApiError, extra = {}): void {
  const { body, headers } = errorAnswer(error)
  const lines = Object.entries({ ...headers, connection: 'close', ...extra }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const status = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`
  socket.end(`${[status, ...lines].join('\r\n')}\r\n\r\n${body}`)
}
