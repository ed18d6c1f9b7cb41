import { BaseError, type Refusal } from '@sluice/domain'
import { type Code, codes, docsPath } from './codes.js'

/** One failing field. */
export type Detail<code extends string = Code> = {
  readonly field: string
  readonly code: code
  readonly reason: string
}

/** A wrong parameter has the code of an error, and what stands between a trade and its route one of its own. */
type AnyDetail = Detail<Code | Refusal.Cause>

/** An answer other than success; everything in it may be shown to the caller. */
export class ApiError extends BaseError {
  override readonly name = 'ApiError'
  override readonly code: Code
  readonly status: number
  readonly details: readonly AnyDetail[] | undefined

  constructor(code: Code, shortMessage: string, options: ApiError.Options = {}) {
    super(shortMessage, { code, cause: options.cause })
    this.code = code
    this.status = options.status ?? codes[code].status
    this.details = options.details
  }
}

export declare namespace ApiError {
  type Options = {
    cause?: unknown
    details?: readonly AnyDetail[] | undefined
    /** Where another status than the code's own says it better. */
    status?: number | undefined
  }
}

/** Details that are told of one error: who sends thousands of wrong members learns as much from the first. */
export const maxDetails = 32

/** The error object of the wire. */
export function encodeError(error: ApiError, requestId?: string) {
  return {
    ok: false as const,
    code: error.code,
    error: error.message,
    ...(error.details === undefined ? {} : { details: error.details.slice(0, maxDetails) }),
    ...(requestId === undefined ? {} : { requestId }),
    retryable: codes[error.code].retryable,
    docs: docsPath(error.code),
  }
}
