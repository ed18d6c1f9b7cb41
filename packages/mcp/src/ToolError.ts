import { codes, type Explanation, isCode } from '@sluice/api'
import { ApiError, BaseError, NoRouteError } from '@sluice/sdk'
import { boundExplanation } from './boundExplanation.js'
import { visible } from './untrusted.js'

/** Error object of a tool. The model can correct its input, or retry later if `retryable` is true. */
export type ToolFailure = {
  code: string
  error: string
  retryable?: boolean
  suggestion?: string | undefined
  details?: readonly unknown[] | undefined
  docs?: string | undefined
  /** With `no_route`: what was looked at, if it was requested. */
  explain?: Explanation | undefined
}

/** Thrown by tools. Becomes a tool result with `isError`, never a JSON-RPC error. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly failure: ToolFailure
  constructor(failure: ToolFailure) {
    super(failure.error)
    this.failure = failure
  }
}

/** Error object of any thrown value. Errors of other libraries become `internal`, without their own message. */
export function failureOf(error: unknown): ToolFailure {
  if (error instanceof ToolError) return error.failure
  if (!(error instanceof BaseError))
    return { code: 'internal', error: 'The tool failed.', retryable: true }
  const { code, docs, retryable, shortMessage } = error
  const details = error instanceof ApiError && error.details.length > 0 ? error.details : undefined
  const suggestion = suggestionFor(code, retryable)
  const explain = error instanceof NoRouteError ? boundExplanation(error.explain) : undefined
  return { code, error: visible(shortMessage), retryable, suggestion, details, docs, explain }
}

const suggestions: Readonly<Record<string, string>> = {
  no_route: 'Try a smaller amount, or route the pair through WETH or USDC.',
  rpc_required:
    'Call prepare_quote, run its call on a node, and pass the response to decode_quote.',
  bad_result: 'Send the call of prepare_quote to the node again; do not use this response.',
  bad_request: 'Call prepare_quote again and send its `request` to decode_quote unchanged.',
  bad_chain: 'get_deployments lists the served chains.',
}

function suggestionFor(code: string, retryable: boolean): string | undefined {
  const known = suggestions[code]
  if (known !== undefined) return known
  if (retryable) return 'Send the same request again a little later.'
  return isCode(code) ? codes[code].advice : undefined
}
