import { NodeResult } from '@sluice/domain'
import { ApiError, IntegrityError, NoRouteError } from '../errors.js'

/** The error of the SDK for a node's result that cannot be read; other errors stay as they are. */
export function resultError(error: unknown): unknown {
  if (error instanceof NodeResult.BadResultError)
    return new IntegrityError(error.check, error.message, { cause: error })
  if (!(error instanceof NodeResult.NoQuoteError)) return error
  const { code, message } = error
  const Kind = code === 'no_route' ? NoRouteError : ApiError
  return new Kind(message, { code, cause: error })
}
