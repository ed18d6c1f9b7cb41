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

/** Answers a request if it can; whether it did. */
export type ShortWay = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

export type HttpServer = { readonly server: Server; readonly connections: Connections }

/**
 * The app and the ways past it behind Node's HTTP server, with limits that let no client hold a connection for long. What
 * reaches neither (malformed HTTP, strange methods, endless URLs) is answered here, in the same JSON.
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
      // Node drops what was sent behind a wish for another protocol, so nothing may be.
      if (incoming.headers.upgrade !== undefined) outgoing.setHeader('connection', 'close')
      for (const answers of shortWays) if (answers(incoming, outgoing)) return
      // Nothing we answer depends on the name we were called by, so no header can choose it.
      incoming.headers.host = 'localhost'
      listener(incoming, outgoing)
    },
  })
  const server = createServer(
    {
      headersTimeout: 5_000,
      requestTimeout: 8_000,
      // Often, so that many that are slow together are not all let go in one turn, which others would wait for.
      connectionsCheckingInterval: 100,
      keepAliveTimeout: 5_000,
      maxHeaderSize: maxHeaderBytes,
      // Checked with the rest, for an answer in JSON.
      requireHostHeader: false,
    },
    connections.serve,
  )
  // A connection is read when it is its turn. To pause it later would not do: the parser reads past the stream.
  Object.assign(server, { pauseOnConnect: true })
  // Their size is the limit. Node leaves out the thousandth and those after it without a word, a second host among them.
  server.maxHeadersCount = 0
  server.on('connection', connections.add)
  server.on('close', connections.stop)
  server.on('clientError', onClientError)
  server.on('checkExpectation', (_incoming, outgoing) =>
    refuse(
      outgoing,
      new ApiError('bad_request', 'Nothing can be expected here.', { status: 417 }),
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
    /** Asked in their order before the app. */
    shortWays: readonly ShortWay[]
  }
}

function refusal(incoming: IncomingMessage): ApiError | undefined {
  const { headers, httpVersion, method = '', url = '' } = incoming
  if (Buffer.byteLength(url) > maxUrlBytes)
    return new ApiError('too_large', `The URL is above ${maxUrlBytes} bytes.`, { status: 414 })
  if (method === 'TRACE') return notAllowed()
  if (headers.host === undefined && httpVersion === '1.1')
    return new ApiError('bad_request', 'The host header is missing.')
  // A proxy may go by the one and whatever is behind it by the other.
  if (countHosts(incoming.rawHeaders) > 1)
    return new ApiError('bad_request', 'The host header was sent more than once.')
  // `*` and absolute forms are for proxies and servers as a whole, which this is not.
  if (!url.startsWith('/')) return new ApiError('bad_request', 'The request target is not a path.')
  return undefined
}

/** Node keeps the first one and tells nobody of the others. */
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

/** What the adapter cannot turn into a request, or the app did not catch. */
function toResponse(thrown: unknown): Response {
  const error =
    thrown instanceof RequestError
      ? new ApiError('bad_request', 'The request is not valid HTTP.')
      : toApiError(thrown)
  const { body, headers } = errorAnswer(error)
  return new Response(body, { status: error.status, headers: { ...headers, ...closing } })
}

function notAllowed(): ApiError {
  return new ApiError('method_not_allowed', 'This method is not served.')
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
      return new ApiError('too_large', `The headers are above ${maxHeaderBytes} bytes.`, {
        status: 431,
      })
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('bad_request', 'The request did not arrive in time.', { status: 408 })
    default:
      return new ApiError('bad_request', 'The request is not valid HTTP.')
  }
}
