import { BaseError, type Refusal } from '@sluice/domain'
import { type Code, codes, docsPath } from './codes.js'
import type { Explanation } from './explanation.js'

/** One failing field. */
export type Detail<code extends string = Code> = {
  readonly field: string
  readonly code: code
  readonly reason: string
}

/** The code is an error code for an invalid parameter, and a `Refusal.Cause` for a cause of `no_route`. */
type AnyDetail = Detail<Code | Refusal.Cause>

/** Error that becomes an error response. The caller may see everything in it. */
export class ApiError extends BaseError {
  override readonly name = 'ApiError'
  override readonly code: Code
  readonly status: number
  readonly details: readonly AnyDetail[] | undefined
  /** With \`no_route\`: what was looked at, if it was requested. */
  readonly explain: Explanation | undefined

  constructor(code: Code, shortMessage: string, options: ApiError.Options = {}) {
    super(shortMessage, { code, cause: options.cause })
    this.code = code
    this.status = options.status ?? codes[code].status
    this.details = options.details
    this.explain = options.explain
  }

  /** Error for invalid parameters, with the code of the first. There must be at least one. */
  static ofDetails(details: readonly Detail[]): ApiError {
    const first = details[0]!
    const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : ''
    return new ApiError(first.code, `\`${first.field}\` ${first.reason}.${more}`, { details })
  }
}

export declare namespace ApiError {
  type Options = {
    cause?: unknown
    details?: readonly AnyDetail[] | undefined
    explain?: Explanation | undefined
    /** HTTP status. @default the status of the code */
    status?: number | undefined
  }
}

/** Maximum details in one error, so that thousands of invalid members do not make a long response. */
export const maxDetails = 32

/** Encodes an error as the JSON error object. */
export function encodeError(error: ApiError, requestId?: string) {
  return {
    ok: false as const,
    code: error.code,
    error: error.message,
    ...(error.details === undefined ? {} : { details: error.details.slice(0, maxDetails) }),
    ...(error.explain && { explain: error.explain }),
    ...(requestId === undefined ? {} : { requestId }),
    retryable: codes[error.code].retryable,
    docs: docsPath(error.code),
  }
}
