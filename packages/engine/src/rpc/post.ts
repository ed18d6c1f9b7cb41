import type { Failure } from './failures.js'
import type { Upstream } from './Upstream.js'

/** Most bytes of an answer that are read; a route with its numbers is a few thousand. */
export const maxAnswerBytes = 256 * 1024

export type Posted = { ok: true; text: string } | { ok: false; failure: Failure }

/**
 * Sends a body to an upstream and reads the whole answer. The time limit covers headers and body.
 *
 * Never throws, and what it returns holds nothing of the upstream's URL or of its error texts.
 */
export async function post(
  upstream: Upstream,
  body: string,
  options: post.Options,
): Promise<Posted> {
  const { signal, timeoutMs } = options
  if (signal?.aborted) return { ok: false, failure: 'cancelled' }
  const controller = new AbortController()
  let reason: Failure = 'timeout'
  const timer = setTimeout(() => controller.abort(), timeoutMs)
  const cancel = () => {
    reason = 'cancelled'
    controller.abort()
  }
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    const response = await fetch(upstream.url, {
      method: 'POST',
      headers: upstream.headers,
      body,
      redirect: 'error',
      signal: controller.signal,
    })
    const failure = failureOf(response.status)
    if (failure === undefined) return await readCapped(response)
    await response.body?.cancel()
    return { ok: false, failure }
  } catch {
    return { ok: false, failure: controller.signal.aborted ? reason : 'connect' }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}

export declare namespace post {
  type Options = {
    timeoutMs: number
    /** Given up when it aborts. */
    signal?: AbortSignal | undefined
  }
}

function failureOf(status: number): Failure | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status === 429) return 'rate_limited'
  if (status === 401 || status === 403) return 'auth'
  if (status === 413) return 'too_large'
  return status >= 500 ? 'server' : 'bad_response'
}

async function readCapped(response: Response): Promise<Posted> {
  if (response.body === null) return { ok: false, failure: 'bad_response' }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.byteLength
    // Leaving the loop cancels the stream, so the rest is never read.
    if (bytes > maxAnswerBytes) return { ok: false, failure: 'too_large' }
    chunks.push(chunk)
  }
  return { ok: true, text: Buffer.concat(chunks).toString('utf8') }
}
