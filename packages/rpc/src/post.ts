import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Budget } from './Budget.js'
import type { Failure } from './failures.js'
import * as Standing from './Standing.js'
import type { Upstream } from './Upstream.js'

/** Default maximum size of a response, in bytes. Results of contracts have a few thousand. */
const defaultMaxBytes = 256 * 1024

export type Posted = { ok: true; text: string } | { ok: false; failure: Failure }

/**
 * Sends a body to a node and reads the whole response. The timeout covers connecting, headers and body. If a kept connection
 * is closed, sends the body once more on a new one.
 *
 * Never throws, and returns neither the URL of the node nor its error texts. Uses `node:http`, because `fetch` takes three
 * times as long for a small call, which matters for a node that responds in milliseconds.
 */
export function post(upstream: Upstream, body: string, options: post.Options): Promise<Posted> {
  const { budget, maxBytes = defaultMaxBytes, signal, timeoutMs } = options
  if (signal?.aborted) return Promise.resolve({ ok: false, failure: 'cancelled' })
  return new Promise((resolve) => {
    let request: ClientRequest | undefined
    let isSettled = false
    const settle = (posted: Posted) => {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
      resolve(posted)
      // A connection in the middle of a response cannot be used again.
      if (!posted.ok) request?.destroy()
    }
    // Timers run before pending network events: if this process was late, a response that has arrived is read first.
    const timeOut = () => setImmediate(settle, { ok: false, failure: 'timeout' })
    const timer = setTimeout(timeOut, timeoutMs)
    const cancel = () => settle({ ok: false, failure: 'cancelled' })
    signal?.addEventListener('abort', cancel, { once: true })
    const attempt = (isLast: boolean) => {
      // The budget is used up: the node was not asked, so this is not its failure.
      if (budget?.take() === false) return settle({ ok: false, failure: 'cancelled' })
      request = send(upstream, { body, maxBytes }, settle, () => {
        if (isLast) settle({ ok: false, failure: 'connect' })
        if (isSettled) return
        dropIdle(upstream)
        attempt(true)
      })
    }
    attempt(false)
  })
}

export declare namespace post {
  type Options = {
    /** Timeout of connecting, headers and body. */
    timeoutMs: number
    /** Aborts the request. */
    signal?: AbortSignal | undefined
    /** Maximum size of the response in bytes; a node that sends more has failed. @default 262,144 */
    maxBytes?: number | undefined
    /** Budget that each sent request uses up. @default no limit */
    budget?: Budget | undefined
  }
}

/** Closes all idle connections: if one was closed by the node, the others may be too, so the next request opens a new one. */
function dropIdle({ agent }: Upstream): void {
  for (const sockets of Object.values(agent.freeSockets))
    for (const socket of sockets ?? []) socket.destroy()
}

/**
 * Sends one HTTP request.
 *
 * @param onIdleClose Called if the node had closed the kept connection between calls. It did not respond to the request,
 * so the request can be sent again on another connection.
 */
function send(
  upstream: Upstream,
  { body, maxBytes }: { body: string; maxBytes: number },
  settle: (posted: Posted) => void,
  onIdleClose: () => void,
): ClientRequest {
  const create = upstream.url.startsWith('https:') ? httpsRequest : httpRequest
  const request = create(upstream.url, {
    method: 'POST',
    agent: upstream.agent,
    headers: { ...upstream.headers, 'content-length': Buffer.byteLength(body) },
  })
  let hasResponse = false
  request.on('error', (error: NodeJS.ErrnoException) => {
    const isIdleClose = request.reusedSocket && !hasResponse && error.code === 'ECONNRESET'
    if (isIdleClose) onIdleClose()
    else settle({ ok: false, failure: 'connect' })
  })
  request.on('response', (response) => {
    hasResponse = true
    const failure = failureOf(response)
    if (failure === 'rate_limited') heedRetryAfter(upstream, response)
    if (failure !== undefined) return settle({ ok: false, failure })
    // Stops before reading a body that is too long, because what was read stays in memory until garbage collection.
    if (Number(response.headers['content-length']) > maxBytes)
      return settle({ ok: false, failure: 'too_large' })
    const chunks: Buffer[] = []
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      if (bytes === 0 && !beginsJson(chunk)) return settle({ ok: false, failure: 'bad_response' })
      bytes += chunk.byteLength
      if (bytes > maxBytes) settle({ ok: false, failure: 'too_large' })
      else chunks.push(chunk)
    })
    response.on('error', () => settle({ ok: false, failure: 'connect' }))
    response.on('end', () => settle({ ok: true, text: Buffer.concat(chunks).toString('utf8') }))
  })
  request.end(body)
  return request
}

/** Whether a chunk can be the start of a JSON object or array. A chunk of only whitespace can. */
function beginsJson(piece: Buffer): boolean {
  const first = piece.find((byte) => !blanks.includes(byte))
  return first === undefined || first === openBrace || first === openBracket
}

const blanks: readonly number[] = [...' \t\r\n'].map((sign) => sign.charCodeAt(0))
const [openBrace, openBracket] = ['{', '['].map((sign) => sign.charCodeAt(0))

function failureOf({ statusCode = 0 }: IncomingMessage): Failure | undefined {
  if (statusCode >= 200 && statusCode < 300) return undefined
  if (statusCode === 429) return 'rate_limited'
  if (statusCode === 401 || statusCode === 403) return 'auth'
  if (statusCode === 413) return 'too_large'
  return statusCode >= 500 ? 'server' : 'bad_response'
}

/** Stops requests to the node for its `Retry-After`, in seconds. Nodes do not use the date form. */
function heedRetryAfter({ standing }: Upstream, { headers }: IncomingMessage): void {
  const seconds = Number(headers['retry-after'])
  if (seconds > 0) Standing.rest(standing, performance.now(), 1_000 * seconds)
}
