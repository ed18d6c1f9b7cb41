import {
  ApiError,
  type ApiErrorOptions,
  type Detail,
  IntegrityError,
  InvalidParameterError,
  NoRouteError,
  RpcRequiredError,
  RpcUnreachableError,
} from './errors.js'
import { wholeBatch } from './wholeBatch.js'
import type { ErrorBody, Prepared, WirePreparedBatch } from './wire.js'

type Origin = {
  status?: number
  requestId?: string | undefined
  retryAfterMs?: number | undefined
  /** URL of the service, to which the path in `docs` is relative. */
  baseUrl?: string | undefined
}

/** Turns the error object of a response or of a batch item into a typed error. */
export function errorFromBody(body: ErrorBody, from: Origin = {}): ApiError {
  const { code, error: message } = body
  const details = (body.details ?? []) as readonly Detail[]
  const { baseUrl, ...rest } = from
  const options: ApiErrorOptions = {
    ...rest,
    code,
    details,
    requestId: body.requestId ?? from.requestId,
    retryable: body.retryable ?? (from.status === 429 || from.status === 503),
    docs: docsOf(body, baseUrl),
  }
  switch (code) {
    case 'no_route':
      return new NoRouteError(message, { ...options, explain: body.explain })
    case 'rpc_unreachable':
    case 'rpc_stale':
      return new RpcUnreachableError(message, options)
    case 'rpc_required':
      return new RpcRequiredError(message, { ...options, prepared: preparedOf(body) })
    case 'bad_result':
      return new IntegrityError(details[0]?.reason ?? 'result', message, options)
    default:
      return code.startsWith('bad_')
        ? new InvalidParameterError(message, options)
        : new ApiError(message, options)
  }
}

/** Prepared calls of an `rpc_required` error, ready to send. */
function preparedOf({ prepared }: ErrorBody): Prepared {
  const isBatch = typeof prepared === 'object' && prepared !== null && 'items' in prepared
  return isBatch ? wholeBatch(prepared as WirePreparedBatch) : (prepared as Prepared)
}

/** URL of the page that explains the code. */
function docsOf({ docs }: ErrorBody, baseUrl = ''): string | undefined {
  if (typeof docs !== 'string') return undefined
  return docs.startsWith('/') ? `${baseUrl}${docs}` : docs
}
