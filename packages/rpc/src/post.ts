import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Budget } from './Budget.js'
import type { Failure } from './failures.js'
import * as Standing from './Standing.js'
import type { Upstream } from './Upstream.js'

/** Bytes of an answer that are read; what a contract returns has a few thousand. */
const defaultMaxBytes = 256 * 1024

export type Posted = { ok: true; text: string } | { ok: false; failure: Failure }

/**
 * Sends a body to a node and reads the whole answer. The time limit covers connecting, headers and body. If a kept
 * connection turns out to be closed, sends it once more on a new one.
 *
 * Never throws, and what it returns holds nothing of the upstream's URL or of its error texts. Node's own client,
 * because `fetch` takes three times as long for a small call, which is felt beside a node that answers in milliseconds.
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
      // A connection in the middle of an answer cannot be used again.
      if (!posted.ok) request?.destroy()
    }
    // Timers come before what has arrived: where this process was late, and not the node, the answer is there.
    const timeOut = () => setImmediate(settle, { ok: false, failure: 'timeout' })
    const timer = setTimeout(timeOut, timeoutMs)
    const cancel = () => settle({ ok: false, failure: 'cancelled' })
    signal?.addEventListener('abort', cancel, { once: true })
    const attempt = (isLast: boolean) => {
      // Nothing is known of the node then.
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
    /** Milliseconds for connecting, headers and body. */
    timeoutMs: number
    /** Given up when it aborts. */
    signal?: AbortSignal | undefined
    /** Bytes of the answer; a node that sends more has failed. @default 262,144 */
    maxBytes?: number | undefined
    /** Each request that is sent is taken from it. @default no limit */
    budget?: Budget | undefined
  }
}

/** If one kept connection turns out to be closed the others may be too, so the next request opens one of its own. */
function dropIdle({ agent }: Upstream): void {
  for (const sockets of Object.values(agent.freeSockets))
    for (const socket of sockets ?? []) socket.destroy()
}

/**
 * @param onIdleClose A kept connection turned out to be closed by the other side, as happens between calls; nothing of
 * the request was answered, so it can be sent again on another one.
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
    // Read no further than it takes to tell: what was read stays in memory until it is collected.
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

/** Whether it can be the first piece of an object or a list; one of blanks alone can be. */
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

/** The node names the time in seconds after which it may be asked again; the date form is not used by nodes. */
function heedRetryAfter({ standing }: Upstream, { headers }: IncomingMessage): void {
  const seconds = Number(headers['retry-after'])
  if (seconds > 0) Standing.rest(standing, performance.now(), 1_000 * seconds)
}
