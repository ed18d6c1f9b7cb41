import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import { ApiError } from '@sluice/api'
import type { Hono } from 'hono'
import type { AppEnv } from '../AppEnv.js'
import { toApiError } from '../middleware/handleErrors.js'
import {
  type ConnectionLimits,
  type Connections,
  type CutCause,
  createConnections,
} from './Connections.js'
import type { Callers } from './callers.js'
import { answerOnSocket, errorAnswer, refuse } from './rawAnswer.js'

export const maxUrlBytes = 2_048
const maxHeaderBytes = 8_192
const allowed = 'GET, HEAD, POST, OPTIONS'
const closing = { connection: 'close' } as const

/** Answers a request if it can, and returns whether it did. */
export type ShortWay = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

export type HttpServer = { readonly server: Server; readonly connections: Connections }

/**
 * Runs the app behind Node's HTTP server, with limits so that no client can hold a connection for long. Requests that
 * cannot reach the app (malformed HTTP, unsupported methods, URLs that are too long) get the same JSON errors from
 * here.
 */
export function createHttpServer(app: Hono<AppEnv>, options: createHttpServer.Options): HttpServer {
  const { callers, limits, onCut, shortWays } = options
  const listener = getRequestListener(app.fetch, { errorHandler: toResponse })
  const connections = createConnections({
    limits,
    onCut,
    addressOf: callers.ofSocket,
    handle(incoming, outgoing) {
      const error = refusal(incoming)
      if (error !== undefined) return void refuse(outgoing, error, extraHeaders(error))
      // Node drops requests that follow an upgrade header, so close the connection.
      if (incoming.headers.upgrade !== undefined) outgoing.setHeader('connection', 'close')
      for (const answers of shortWays) if (answers(incoming, outgoing)) return
      // No response depends on the host name, so ignore the header.
      incoming.headers.host = 'localhost'
      listener(incoming, outgoing)
    },
  })
  const server = createServer(
    {
      headersTimeout: 5_000,
      requestTimeout: 8_000,
      // Short, so that many slow connections are not closed in the same turn, which would delay others.
      connectionsCheckingInterval: 100,
      keepAliveTimeout: 5_000,
      maxHeaderSize: maxHeaderBytes,
      // Checked in `refusal`, for a JSON error.
      requireHostHeader: false,
    },
    connections.serve,
  )
  // Start connections paused, and read each when it is its turn. Pausing later would not help: the parser bypasses the
  // stream.
  Object.assign(server, { pauseOnConnect: true })
  // The size of the headers is limited instead. With a count limit, Node silently omits further headers, such as a
  // second host.
  server.maxHeadersCount = 0
  server.on('connection', connections.add)
  server.on('close', connections.stop)
  server.on('clientError', onClientError)
  server.on('checkExpectation', (_incoming, outgoing) =>
    refuse(
      outgoing,
      new ApiError('bad_request', 'The expect header is not supported.', { status: 417 }),
      closing,
    ),
  )
  server.on('connect', (_incoming, socket) =>
    answerOnSocket(socket, notAllowed(), { allow: allowed }),
  )
  return { server, connections }
}

export declare namespace createHttpServer {
  type Options = {
    callers: Callers
    limits: ConnectionLimits
    onCut: (cause: CutCause) => void
    /** Tried in order before the app. */
    shortWays: readonly ShortWay[]
  }
}

function refusal(incoming: IncomingMessage): ApiError | undefined {
  const { headers, httpVersion, method = '', url = '' } = incoming
  if (Buffer.byteLength(url) > maxUrlBytes)
    return new ApiError('too_large', `The URL is longer than ${maxUrlBytes} bytes.`, {
      status: 414,
    })
  if (method === 'TRACE') return notAllowed()
  if (headers.host === undefined && httpVersion === '1.1')
    return new ApiError('bad_request', 'The host header is missing.')
  // A proxy may use the first and the server behind it the second.
  if (countHosts(incoming.rawHeaders) > 1)
    return new ApiError('bad_request', 'The host header was sent more than once.')
  // `*` and absolute targets are for proxies and for servers as a whole.
  if (!url.startsWith('/')) return new ApiError('bad_request', 'The request target is not a path.')
  return undefined
}

/** Counts host headers. Node keeps only the first one. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place]!
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}

function extraHeaders(error: ApiError) {
  return error.code === 'method_not_allowed' ? { ...closing, allow: allowed } : closing
}

/** Converts errors that the adapter or the app did not handle. */
function toResponse(thrown: unknown): Response {
  const error =
    thrown instanceof RequestError
      ? new ApiError('bad_request', 'The request is not valid HTTP.')
      : toApiError(thrown)
  const { body, headers } = errorAnswer(error)
  return new Response(body, { status: error.status, headers: { ...headers, ...closing } })
}

function notAllowed(): ApiError {
  return new ApiError('method_not_allowed', 'This method is not supported.')
}

function onClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  answerOnSocket(socket, clientErrorAnswer(error.code))
}

function clientErrorAnswer(code: string | undefined): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('too_large', `The headers are longer than ${maxHeaderBytes} bytes.`, {
        status: 431,
      })
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('bad_request', 'The request did not arrive in time.', { status: 408 })
    default:
      return new ApiError('bad_request', 'The request is not valid HTTP.')
  }
}
