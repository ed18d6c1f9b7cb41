/** Address of the service and request settings. Plain data, and the first parameter of every action. */
export type Client = {
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  readonly timeoutMs: number
  readonly retry: RetryOptions
  readonly headers: Readonly<Record<string, string>>
  readonly onRequest: ((request: RequestEvent) => void) | undefined
  readonly onResponse: ((response: ResponseEvent) => void) | undefined
}

/** Number and delay of retries. */
export type RetryOptions = {
  /** Maximum number of retries after the first attempt. */
  readonly count: number
  /** Maximum delay before the first retry, in milliseconds. It doubles for each retry; the delay is random below it. */
  readonly baseDelayMs: number
}

/** A request before it is sent. */
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

/** Options of a client. */
export type ClientOptions = {
  /** URL of the service, with or without a slash at the end. */
  baseUrl: string
  /** @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined
  /** Timeout of a call including its retries, in milliseconds. @default 10000 */
  timeoutMs?: number | undefined
  /** Retries of failed requests; `false` for none. @default { count: 2, baseDelayMs: 200 } */
  retry?: Partial<RetryOptions> | false | undefined
  headers?: Readonly<Record<string, string>> | undefined
  onRequest?: ((request: RequestEvent) => void) | undefined
  onResponse?: ((response: ResponseEvent) => void) | undefined
}

/**
 * Creates a client for a service.
 *
 * @example
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8080' })
 * const quote = await getQuote(client, { chain: 'base', in: 'WETH', out: 'USDC', amountIn: 10n ** 18n })
 */
export function createClient(options: ClientOptions): Client {
  const { headers = {}, onRequest, onResponse, retry, timeoutMs = 10_000 } = options
  return {
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    // Reads the global at each call, so that a `fetch` that is replaced later (a mock, a tracer) is used.
    fetch: options.fetch ?? ((...call) => globalThis.fetch(...call)),
    timeoutMs,
    retry: { count: retry === false ? 0 : 2, baseDelayMs: 200, ...retry },
    headers,
    onRequest,
    onResponse,
  }
}
