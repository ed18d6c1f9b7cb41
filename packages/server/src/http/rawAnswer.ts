import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ApiError, encodeError } from '@sluice/api'
import { openHeaders } from './headers.js'
import { requestIdFrom } from './requestId.js'

/** Body and headers of an error response, for requests that do not reach the app. */
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
 * A prepared error response: the text before and after the request id, and the other headers as names and values in
 * turn.
 */
type Form = {
  before: string
  after: string
  status: number
  headers: readonly string[]
  /** Node writes ASCII text in half the time if it knows the encoding. */
  encoding: 'latin1' | 'utf8'
}

const idMark = '0'.repeat(36)
/** Cache for error objects that are created once and sent to many. */
const forms = new WeakMap<ApiError, Form>()

function formOf(error: ApiError): Form {
  const known = forms.get(error)
  if (known !== undefined) return known
  const text = JSON.stringify(encodeError(error, idMark))
  const at = text.lastIndexOf(idMark)
  const headers = {
    ...openHeaders,
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  }
  const form = {
    before: text.slice(0, at),
    after: text.slice(at + idMark.length),
    status: error.status,
    headers: Object.entries(headers).flat(),
    encoding: Buffer.byteLength(text) === text.length ? ('latin1' as const) : ('utf8' as const),
  }
  forms.set(error, form)
  return form
}

/**
 * Sends an error response without the app. Refusals are frequent, so this costs a fraction of a response if the same
 * error object is used again.
 *
 * @returns The request id.
 */
export function refuse(
  outgoing: ServerResponse,
  error: ApiError,
  extra: Readonly<Record<string, string>> = {},
): string {
  const { after, before, encoding, headers, status } = formOf(error)
  const requestId = randomUUID()
  const own = ['x-request-id', requestId]
  for (const name in extra) own.push(name, extra[name]!)
  outgoing.writeHead(status, headers.concat(own)).end(before + requestId + after, encoding)
  return requestId
}

/** Writes an error response straight to the socket, for requests that the parser rejected. */
export function answerOnSocket(socket: Duplex, error: ApiError, extra = {}): void {
  const { body, headers } = errorAnswer(error)
  const lines = Object.entries({ ...headers, connection: 'close', ...extra }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const status = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`
  socket.end(`${[status, ...lines].join('\r\n')}\r\n\r\n${body}`)
}
