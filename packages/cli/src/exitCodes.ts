import {
  ApiError,
  BaseError,
  IntegrityError,
  InvalidParameterError,
  NetworkError,
  NoRouteError,
  RpcRequiredError,
  RpcUnreachableError,
  TimeoutError,
} from '@sluice/sdk'
import { explanationText } from './explanationText.js'
import { UsageError } from './UsageError.js'

/** Exit codes, stable for scripts. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  noRoute: 3,
  unreachable: 4,
  integrity: 5,
} as const

export const exitCodeTable = `Exit codes:
  0  done
  1  another error
  2  a flag or a parameter is wrong
  3  no route exists, or the quote cannot be executed
  4  the service or the node did not respond; the same command may succeed later
  5  a response failed a check, or your node computes another result: sign nothing from it`

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof InvalidParameterError) return exitCodes.usage
  // A symbol that cannot be resolved is a wrong parameter, whatever the HTTP status.
  if (error instanceof ApiError && error.code === 'unresolved') return exitCodes.usage
  if (error instanceof NoRouteError) return exitCodes.noRoute
  if (error instanceof IntegrityError) return exitCodes.integrity
  const isUnreachable =
    error instanceof NetworkError ||
    error instanceof TimeoutError ||
    error instanceof RpcUnreachableError ||
    (error instanceof ApiError && error.retryable)
  return isUnreachable ? exitCodes.unreachable : exitCodes.failed
}

/** Error object for programs, with all members of the service's error. */
export function errorObject(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof UsageError)
    return { ok: false, code: error.code, error: error.message, retryable: false }
  if (!(error instanceof BaseError))
    return { ok: false, code: 'internal', error: messageOf(error), retryable: false }
  const { code, docs, metaMessages, retryable, shortMessage } = error
  const hints = hintsOf(error)
  return {
    ok: false,
    code,
    error: [shortMessage, ...metaMessages].join(' '),
    retryable,
    ...(hints.length > 0 && { hint: hints.join(' ') }),
    ...(docs !== undefined && { docs }),
    ...(error instanceof ApiError && error.details.length > 0 && { details: error.details }),
    ...(error instanceof ApiError && error.requestId && { requestId: error.requestId }),
    ...(error instanceof NoRouteError && error.explain && { explain: error.explain }),
    ...(error instanceof RpcRequiredError && error.prepared && { prepared: error.prepared }),
  }
}

/** Error text for people: the message and what to do next on the command line. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const looked = error instanceof NoRouteError && error.explain
  return [message, ...hintsOf(error), ...(looked ? [explanationText(looked)] : [])].join('\n')
}

/** What to do next on the command line. The SDK's message does not mention the command line. */
function hintsOf(error: unknown): readonly string[] {
  if (error instanceof NetworkError)
    return ['Start the service with `npm start`, or name another with --url or SLUICE_URL.']
  if (error instanceof RpcRequiredError)
    return ['Use your own node: add --rpc URL --deployments FILE, or see sluice prepare --help.']
  return []
}
