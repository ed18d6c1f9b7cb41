import { get as httpGet, type IncomingMessage } from 'node:http'
import { get as httpsGet } from 'node:https'
import { MarketDataError, type MarketFailure, type MarketOptions } from './MarketSource.js'

/** Maximum size of a response in bytes. Thirty pools take about 50,000. */
export const maxBytes = 512 * 1024
export const timeoutMs = 1_500

/**
 * Fetches a JSON document. The time limit covers connection, headers and body. A redirect is a failure, so only the
 * URL's host is contacted.
 *
 * @throws MarketDataError
 */
export async function fetchJson(url: string, options: MarketOptions = {}): Promise<unknown> {
  const text = await read(url, options.signal)
  try {
    return JSON.parse(text)
  } catch {
    throw new MarketDataError('bad_response')
  }
}

function read(url: string, signal: AbortSignal | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (failure: MarketFailure) => {
      end()
      reject(new MarketDataError(failure))
      request.destroy()
    }
    const cancel = () => fail('cancelled')
    let isSettled = false
    const end = () => {
      isSettled = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    }
    const get = url.startsWith('https:') ? httpsGet : httpGet
    // We do not request compression, so counted bytes are all bytes.
    const request = get(url, { agent: false, headers: { accept: 'application/json' } })
    // Timers fire before pending I/O. If this process was blocked, the response has arrived and is read first.
    const timeOut = () => setImmediate(() => isSettled || fail('timeout'))
    const timer = setTimeout(timeOut, timeoutMs)
    request.on('error', () => fail('connect'))
    request.on('response', (response) => {
      if (response.statusCode !== 200) return fail('status')
      collect(response, fail, (text) => {
        end()
        resolve(text)
      })
    })
    if (signal?.aborted) cancel()
    else signal?.addEventListener('abort', cancel, { once: true })
  })
}

function collect(
  response: IncomingMessage,
  fail: (failure: MarketFailure) => void,
  done: (text: string) => void,
): void {
  const chunks: Buffer[] = []
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength
    if (bytes > maxBytes) fail('too_large')
    else chunks.push(chunk)
  })
  response.on('error', () => fail('connect'))
  response.on('aborted', () => fail('connect'))
  response.on('end', () => done(Buffer.concat(chunks).toString('utf8')))
}
