import type { ErrorBody, Prepared, WireCode } from './wire.js'

/** Version of this package. */
export const version = '1.0.0'

/** An error code of the API or of the client. A later version of the service may send others. */
export type Code =
  | WireCode
  | 'bad_transaction'
  | 'timeout'
  | 'network'
  | 'undecodable'
  | (string & {})

/** One invalid field. */
export type Detail = { readonly field: string; readonly code: Code; readonly reason: string }

/** Base class of every error that this package throws on purpose. */
export class BaseError extends Error {
  override readonly name: string = 'BaseError'
  /** Stable code for programs. The message is for people. */
  readonly code: Code
  readonly shortMessage: string
  /** More information and what to do next, one line each. */
  readonly metaMessages: readonly string[]
  /** URL of the page that explains the error. */
  readonly docs: string | undefined
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  readonly version = version

  constructor(shortMessage: string, options: BaseErrorOptions) {
    const { cause, code, docs, metaMessages = [], retryable = false } = options
    const lines = [shortMessage, ...metaMessages, ...(docs ? [`Docs: ${docs}`] : [])]
    super(lines.join('\n'), cause === undefined ? {} : { cause })
    this.code = code
    this.shortMessage = shortMessage
    this.metaMessages = metaMessages
    this.docs = docs
    this.retryable = retryable
  }

  /**
   * Returns the first error in the chain of causes, starting with this one, for which `matches` returns true; null if there
   * is none. Without `matches`, returns the last cause.
   */
  walk(matches?: (error: unknown) => boolean): unknown {
    let error: unknown = this
    for (;;) {
      if (matches?.(error)) return error
      const cause = error instanceof Error ? error.cause : undefined
      if (cause === undefined || cause === null) return matches ? null : error
      error = cause
    }
  }
}

export type BaseErrorOptions = {
  code: Code
  cause?: unknown
  docs?: string | undefined
  metaMessages?: readonly string[] | undefined
  retryable?: boolean | undefined
}

/** The service responded with an error object. */
export class ApiError extends BaseError {
  override readonly name: string = 'ApiError'
  /** HTTP status; undefined for a failed item of a batch, and for parameters that were rejected before the request. */
  readonly status: number | undefined
  readonly requestId: string | undefined
  /** Every invalid field. */
  readonly details: readonly Detail[]
  /** `Retry-After` of the response, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(shortMessage: string, options: ApiErrorOptions) {
    super(shortMessage, options)
    this.status = options.status
    this.requestId = options.requestId
    this.details = options.details ?? []
    this.retryAfterMs = options.retryAfterMs
  }
}

export type ApiErrorOptions = BaseErrorOptions & {
  status?: number | undefined
  requestId?: string | undefined
  details?: readonly Detail[] | undefined
  retryAfterMs?: number | undefined
}

/** The client or the service rejected a parameter. `field` is its name. */
export class InvalidParameterError extends ApiError {
  override readonly name = 'InvalidParameterError'
  get field(): string | undefined {
    return this.details[0]?.field
  }
}

/** The chain was read and has no executable route for the trade. */
export class NoRouteError extends ApiError {
  override readonly name = 'NoRouteError'
  /** With `explain`: what was looked at. */
  readonly explain: ErrorBody['explain']

  constructor(shortMessage: string, options: ApiErrorOptions & { explain?: ErrorBody['explain'] }) {
    super(shortMessage, options)
    this.explain = options.explain
  }
}

/** No node of the chain gave a valid response. A route may still exist. */
export class RpcUnreachableError extends ApiError {
  override readonly name = 'RpcUnreachableError'
}

/** The service does not quote on its own nodes. Send the call or batch in `prepared` to your own node and decode its response. */
export class RpcRequiredError extends ApiError {
  override readonly name = 'RpcRequiredError'
  readonly prepared: Prepared | undefined

  constructor(
    shortMessage: string,
    options: ApiErrorOptions & { prepared?: Prepared | undefined },
  ) {
    super(shortMessage, options)
    this.prepared = options.prepared
  }
}

/** A result or a transaction does not match the request: do not sign it. `check` is the failed check. */
export class IntegrityError extends ApiError {
  override readonly name = 'IntegrityError'
  readonly check: string

  constructor(check: string, shortMessage: string, options: Partial<ApiErrorOptions> = {}) {
    super(shortMessage, { code: 'bad_result', ...options })
    this.check = check
  }
}

/** The service did not respond within `timeoutMs`. */
export class TimeoutError extends BaseError {
  override readonly name = 'TimeoutError'
  constructor(timeoutMs: number, cause?: unknown) {
    super(`The service did not respond within ${timeoutMs} ms.`, {
      code: 'timeout',
      cause,
      retryable: true,
    })
  }
}

/** The service could not be reached. */
export class NetworkError extends BaseError {
  override readonly name = 'NetworkError'
  constructor(cause: unknown) {
    super('The service could not be reached.', { code: 'network', cause, retryable: true })
  }
}

/** A response, or a file with one, does not have the format of this API. */
export class DecodeError extends BaseError {
  override readonly name = 'DecodeError'
  constructor(reason: string, cause?: unknown, next = 'Is the base URL that of a Sluice service?') {
    super(`The response ${reason}.`, { code: 'undecodable', cause, metaMessages: [next] })
  }
}
