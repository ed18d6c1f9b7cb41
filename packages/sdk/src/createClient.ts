/** Where the service is and how it is asked. Plain data: every action takes it first. */
export type Client = {
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  readonly timeoutMs: number
  readonly retry: RetryOptions
  readonly headers: Readonly<Record<string, string>>
  readonly onRequest: ((request: RequestEvent) => void) | undefined
  readonly onResponse: ((response: ResponseEvent) => void) | undefined
}

/** How often and how fast a failed call is repeated. */
export type RetryOptions = {
  /** Further tries after the first. */
  readonly count: number
  /** Longest first wait; it doubles, and what is waited is drawn below it. */
  readonly baseDelayMs: number
}

/** A request about to be sent. */
export type RequestEvent = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly attempt: number
}
/** A response that has arrived. */
export type ResponseEvent = RequestEvent & {
  readonly status: number
  readonly requestId: string | undefined
  readonly ms: number
}

/** Address of the service, and how to call it. */
export type ClientOptions = {
  /** Address of the service, with or without a slash at the end. */
  baseUrl: string
  /** @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined
  /** For the whole of a call, its retries included. @default 10000 */
  timeoutMs?: number | undefined
  /** `false` for none. @default { count: 2, baseDelayMs: 200 } */
  retry?: Partial<RetryOptions> | false | undefined
  headers?: Readonly<Record<string, string>> | undefined
  onRequest?: ((request: RequestEvent) => void) | undefined
  onResponse?: ((response: ResponseEvent) => void) | undefined
}

/**
 * @example
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8080' })
 * const quote = await getQuote(client, { chain: 'base', in: 'WETH', out: 'USDC', amountIn: 10n ** 18n })
 */
export function createClient(options: ClientOptions): Client {
  const { headers = {}, onRequest, onResponse, retry, timeoutMs = 10_000 } = options
  return {
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    // Looked up at the call, so that a `fetch` replaced later (a mock, a tracer) is used.
    fetch: options.fetch ?? ((...call) => globalThis.fetch(...call)),
    timeoutMs,
    retry:
      retry === false ? { count: 0, baseDelayMs: 0 } : { count: 2, baseDelayMs: 200, ...retry },
    headers,
    onRequest,
    onResponse,
  }
}
