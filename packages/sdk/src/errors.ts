import type { Prepared, WireCode } from './wire.js'

/** Version of this package. */
export const version = '1.0.0'

/** An error code: those of the API, those of the client, and whatever a later service adds. */
export type Code =
  | WireCode
  | 'bad_transaction'
  | 'timeout'
  | 'network'
  | 'undecodable'
  | (string & {})

/** One failing field. */
export type Detail = { readonly field: string; readonly code: Code; readonly reason: string }

/** Parent of every error that this package throws on purpose. */
export class BaseError extends Error {
  override readonly name: string = 'BaseError'
  /** Stable, for programs; the message is for people. */
  readonly code: Code
  readonly shortMessage: string
  /** What to know or to do next, a line each. */
  readonly metaMessages: readonly string[]
  /** Where the error is explained. */
  readonly docs: string | undefined
  /** Whether the same call may succeed a little later. */
  readonly retryable: boolean
  readonly version = version

  constructor(shortMessage: string, options: BaseErrorOptions) {
    const { cause, code, docs, metaMessages = [], retryable = false } = options
    const lines = [shortMessage, ...metaMessages, ...(docs === undefined ? [] : [`Docs: ${docs}`])]
    super(lines.join('\n'), cause === undefined ? {} : { cause })
    this.code = code
    this.shortMessage = shortMessage
    this.metaMessages = metaMessages
    this.docs = docs
    this.retryable = retryable
  }

  /** The first error along the causes, this one included, that `matches`; without it, the last of them. */
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

/** The service answered with an error object. */
export class ApiError extends BaseError {
  override readonly name: string = 'ApiError'
  /** HTTP status; undefined for an item that failed inside a batch, and for what was refused before it was sent. */
  readonly status: number | undefined
  readonly requestId: string | undefined
  /** Every failing field. */
  readonly details: readonly Detail[]
  /** What the service asked to wait. */
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

/** A parameter was refused, here or by the service; `field` is its name. */
export class InvalidParameterError extends ApiError {
  override readonly name = 'InvalidParameterError'
  get field(): string | undefined {
    return this.details[0]?.field
  }
}

/** The chain was read and has no executable route for the trade. */
export class NoRouteError extends ApiError {
  override readonly name = 'NoRouteError'
}

/** No node of the chain gave a valid answer. Says nothing about the route. */
export class RpcUnreachableError extends ApiError {
  override readonly name = 'RpcUnreachableError'
}

/** The service performs no calls: run `prepared`, a quote's or a batch's, on a node of your own and decode its answer. */
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

/** A result or a transaction is not what was asked for; nothing of it may be signed. `check` says what failed. */
export class IntegrityError extends ApiError {
  override readonly name = 'IntegrityError'
  readonly check: string

  constructor(check: string, shortMessage: string, options: Partial<ApiErrorOptions> = {}) {
    super(shortMessage, { code: 'bad_result', ...options })
    this.check = check
  }
}

/** Nothing came back within `timeoutMs`. */
export class TimeoutError extends BaseError {
  override readonly name = 'TimeoutError'
  constructor(timeoutMs: number, cause?: unknown) {
    super(`The service did not answer within ${timeoutMs} ms.`, {
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

/** What was read is not of this API: an answer, or a file that should hold one. */
export class DecodeError extends BaseError {
  override readonly name = 'DecodeError'
  constructor(reason: string, cause?: unknown, next = 'Is the base URL that of a Sluice service?') {
    super(`The answer ${reason}.`, { code: 'undecodable', cause, metaMessages: [next] })
  }
}
