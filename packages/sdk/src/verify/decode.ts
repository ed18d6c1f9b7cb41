import { DecodedQuote, PreparedRequest } from '@sluice/domain'
import type { DecodedQuote as Decoded } from '../amounts.js'
import { ApiError, IntegrityError, InvalidParameterError, NoRouteError } from '../errors.js'
import type { PreparedRequest as Prepared } from '../wire.js'
import type { Registry } from './registry.js'
import { toDomain } from './toDomain.js'
import { toQuote } from './toQuote.js'

/** A prepared request and the node's result for it. */
export type DecodeParameters = {
  /** `request` of the prepared call, unchanged. */
  request: Prepared
  /** What the node answered: the `result` of its JSON-RPC answer. */
  result: string
}

/** The trusted addresses, and how old the block may be. */
export type DecodeOptions = {
  registry: Registry
  /** Unix milliseconds. @default the clock */
  now?: number | undefined
  /**
   * How long before the preparation the answering block may lie. `Infinity` for a chain that makes blocks on demand.
   * @default 300
   */
  maxBlockAgeSec?: number | undefined
}

/**
 * Turns a node's answer into a quote, as `decodeQuote` does, without any service: the call is derived again, the answer
 * must be its canonical encoding, every number is computed again, and the transaction is built here.
 *
 * @throws IntegrityError naming the check; NoRouteError if the chain's answer is that there is none;
 * InvalidParameterError if the request is not what prepare made, or has expired.
 */
export function decode(parameters: DecodeParameters, options: DecodeOptions): Decoded {
  const { maxBlockAgeSec, now = Date.now(), registry } = options
  const { request, result } = parameters
  if (!isPrepared(request))
    throw typed(new PreparedRequest.NotPreparedError('a member is missing or of another type'))
  if (typeof result !== 'string')
    throw new IntegrityError('strict', '`result` must be what the node returned: 0x and digits.')
  try {
    const decoded = DecodedQuote.from(toDomain(registry), {
      prepared: request,
      result: result.toLowerCase(),
      now,
      maxBlockAgeSec,
    })
    return toQuote(decoded)
  } catch (error) {
    throw typed(error)
  }
}

/** Types of the members, which may come from JSON of others; those with a mark may be absent. */
const memberTypes: Readonly<Record<keyof PreparedRequest.PreparedRequest, string>> = {
  schema: 'number',
  protocolVersion: 'string',
  chain: 'number',
  in: 'string',
  out: 'string',
  amountIn: 'string',
  recipient: 'string?',
  sender: 'string?',
  slippageBps: 'number?',
  deadlineSec: 'number',
  exact: 'boolean',
  gasPrice: 'string',
  connectors: 'string?',
  signature: 'string?',
  preparedAt: 'number',
  expiresAt: 'number',
  digest: 'string',
}

function isPrepared(request: unknown): request is PreparedRequest.PreparedRequest {
  if (typeof request !== 'object' || request === null) return false
  return Object.entries(memberTypes).every(([name, type]) => {
    const value = (request as Record<string, unknown>)[name]
    const isAbsent = value === undefined && type.endsWith('?')
    return isAbsent || typeof value === type.replace('?', '')
  })
}

function typed(error: unknown): unknown {
  if (error instanceof DecodedQuote.BadResultError)
    return new IntegrityError(error.check, error.message, { cause: error })
  if (error instanceof PreparedRequest.NotPreparedError)
    return new InvalidParameterError(error.message, {
      code: 'bad_request',
      cause: error,
      details: [{ field: 'request', code: 'bad_request', reason: error.message }],
    })
  if (!(error instanceof DecodedQuote.NoQuoteError)) return error
  const { code, message } = error
  const Kind = code === 'no_route' ? NoRouteError : ApiError
  return new Kind(message, { code, cause: error })
}
