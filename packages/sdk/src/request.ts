import { Endpoints } from '@sluice/domain'
import type { Client } from './createClient.js'
import { errorFromBody } from './errorFromBody.js'
import { ApiError, BaseError, DecodeError, NetworkError, TimeoutError } from './errors.js'
import { parseJson } from './parseJson.js'
import type { ErrorBody } from './wire.js'

/** Options of a single call. */
export type CallOptions = {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

export type Ask = {
  query?: Readonly<Record<string, string>> | undefined
  body?: unknown
  /** Whether a failed request may be sent again. @default true */
  isRepeatable?: boolean
}

const retriedStatuses: readonly (number | undefined)[] = [429, 502, 503]

/**
 * Sends a request to the service, and retries it if that can help.
 *
 * @returns The body of a response with `ok: true`.
 * @throws ApiError and its subclasses, TimeoutError, NetworkError, DecodeError, or the signal's reason.
 * @internal
 */
export async function request<body>(
  client: Client,
  operation: Endpoints.Id,
  ask: Ask = {},
  { signal }: CallOptions = {},
): Promise<body> {
  const { isRepeatable = true } = ask
  const timeout = AbortSignal.timeout(client.timeoutMs)
  const endsAt = Date.now() + client.timeoutMs
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout
  for (let attempt = 1; ; attempt++) {
    try {
      return (await tryOnce(client, operation, ask, { attempt, signal: either })) as body
    } catch (error) {
      signal?.throwIfAborted()
      if (timeout.aborted) throw new TimeoutError(client.timeoutMs, error)
      const waitMs = nextWait(client, error, attempt)
      const mayRetry = isRepeatable && attempt <= client.retry.count && isRetried(error)
      if (!mayRetry || Date.now() + waitMs >= endsAt) throw error
      await wait(waitMs, either).catch(() => {})
      signal?.throwIfAborted()
    }
  }
}

/**
 * Opens a stream of events. `timeoutMs` limits the time to the response headers, not the duration of the stream.
 *
 * @throws the same errors as `request`.
 * @internal
 */
export async function open(
  client: Client,
  operation: Endpoints.Id,
  query: Ask['query'],
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), client.timeoutMs)
  const url = urlOf(client, Endpoints.all[operation].path, query)
  client.onRequest?.({ method: 'GET', url, attempt: 1 })
  try {
    const response = await client.fetch(url, {
      headers: { accept: 'text/event-stream', ...client.headers },
      signal: AbortSignal.any([signal, timeout.signal]),
    })
    const type = response.headers.get('content-type') ?? ''
    if (response.ok && response.body && type.startsWith('text/event-stream')) return response.body
    read(client, response, await response.text())
    throw new DecodeError('is not a stream of events')
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.signal.aborted) throw new TimeoutError(client.timeoutMs, error)
    throw error instanceof BaseError ? error : new NetworkError(error)
  } finally {
    clearTimeout(timer)
  }
}

function urlOf(client: Client, path: string, query: Ask['query'] = {}): string {
  const search = new URLSearchParams(query).toString()
  return `${client.baseUrl}${path}${search === '' ? '' : `?${search}`}`
}

function isRetried(error: unknown): error is BaseError {
  return error instanceof ApiError
    ? retriedStatuses.includes(error.status)
    : error instanceof NetworkError
}

/** Delay before the next attempt, in milliseconds. Random, so that clients that failed together do not retry together. */
function nextWait({ retry }: Client, error: unknown, attempt: number): number {
  const jitter = Math.random() * retry.baseDelayMs * 2 ** (attempt - 1)
  return jitter + ((error instanceof ApiError && error.retryAfterMs) || 0)
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}

async function tryOnce(
  client: Client,
  operation: Endpoints.Id,
  { body, query }: Ask,
  { attempt, signal }: { attempt: number; signal: AbortSignal },
): Promise<unknown> {
  const { method, path } = Endpoints.all[operation]
  const url = urlOf(client, path, query)
  const event = { method, url, attempt } as const
  client.onRequest?.(event)
  const startedAt = performance.now()
  const { response, text } = await exchange(client, url, {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...client.headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal,
  })
  const requestId = response.headers.get('x-request-id') ?? undefined
  const ms = performance.now() - startedAt
  client.onResponse?.({ ...event, status: response.status, requestId, ms })
  return read(client, response, text)
}

async function exchange(client: Client, url: string, init: RequestInit) {
  try {
    const response = await client.fetch(url, init)
    return { response, text: await response.text() }
  } catch (cause) {
    throw new NetworkError(cause)
  }
}

/** Returns a body with `ok: true`; throws its error otherwise. A gateway in front of the service may respond without JSON. */
function read({ baseUrl }: Client, response: Response, text: string): unknown {
  const { status } = response
  const requestId = response.headers.get('x-request-id') ?? undefined
  const body = parseJson(text)
  if (response.ok && isObject(body) && body['ok'] === true) return body
  const from = { status, requestId, retryAfterMs: retryAfterOf(response.headers) }
  if (isObject(body) && typeof body['code'] === 'string' && typeof body['error'] === 'string')
    throw errorFromBody(body as unknown as ErrorBody, { ...from, baseUrl })
  if (!response.ok)
    throw new ApiError(`The service responded with status ${status} and no error object.`, {
      ...from,
      code: `http_${status}`,
      retryable: retriedStatuses.includes(status),
    })
  throw new DecodeError(body === undefined ? 'is not JSON' : 'has no `ok: true`')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** `Retry-After` in milliseconds. The header is a number of seconds or a date. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const seconds = Number(text)
  const ms = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1_000
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
