import {
  ApiError,
  BaseError,
  IntegrityError,
  InvalidParameterError,
  NetworkError,
  NoRouteError,
  RpcUnreachableError,
  TimeoutError,
} from '@sluice/sdk'
import { UsageError } from './UsageError.js'

/** What a script can rely on. */
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
  1  failed otherwise
  2  a flag or a parameter is wrong
  3  there is no route, or the quote cannot be executed
  4  the service or the node gave no answer; the same command may succeed later
  5  an answer failed a check: nothing of it may be signed`

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof InvalidParameterError) return exitCodes.usage
  if (error instanceof NoRouteError) return exitCodes.noRoute
  if (error instanceof IntegrityError) return exitCodes.integrity
  const isUnreachable =
    error instanceof NetworkError ||
    error instanceof TimeoutError ||
    error instanceof RpcUnreachableError ||
    (error instanceof ApiError && error.retryable)
  return isUnreachable ? exitCodes.unreachable : exitCodes.failed
}

/** The error object that is printed where a program reads. */
export function errorObject(error: unknown) {
  if (!(error instanceof BaseError) && !(error instanceof UsageError))
    return { ok: false, code: 'internal', error: messageOf(error), retryable: false }
  const details = error instanceof ApiError && error.details.length > 0 ? error.details : undefined
  const { code } = error
  const retryable = error instanceof BaseError && error.retryable
  return { ok: false, code, error: error.message, retryable, ...(details && { details }) }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
