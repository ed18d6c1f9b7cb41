import { DecodedQuote, PreparedRequest } from '@sluice/domain'
import type { DecodedQuote as Decoded } from '../amounts.js'
import { IntegrityError, InvalidParameterError } from '../errors.js'
import type { PreparedRequest as Prepared } from '../wire.js'
import type { Registry } from './registry.js'
import { resultError } from './resultError.js'
import { toDomain } from './toDomain.js'
import { toQuote } from './toQuote.js'

/** A prepared request and the node's result for it. */
export type DecodeParameters = {
  /** `request` of the prepared call, unchanged. */
  request: Prepared
  /** `result` of the node's JSON-RPC response. */
  result: string
}

/** The trusted addresses, and the maximum age of the block. */
export type DecodeOptions = {
  registry: Registry
  /** Unix milliseconds. @default the clock */
  now?: number | undefined
  /**
   * Maximum age of the block at the time of preparation, in seconds. `Infinity` for a chain that makes blocks on demand.
   * @default 300
   */
  maxBlockAgeSec?: number | undefined
}

/**
 * Turns a node's result into a quote, as `decodeQuote` does, but without the service. Derives the call again, accepts only
 * the canonical encoding of the result, computes every number again, and builds the transaction.
 *
 * @throws IntegrityError with the failed check; NoRouteError if no route exists; InvalidParameterError if the request was
 * changed after prepare, or has expired.
 */
export function decode(parameters: DecodeParameters, options: DecodeOptions): Decoded {
  const { maxBlockAgeSec, now = Date.now(), registry } = options
  const { request, result } = parameters
  if (!isPrepared(request))
    throw typed(new PreparedRequest.NotPreparedError('a member is missing or has another type'))
  if (typeof result !== 'string')
    throw new IntegrityError(
      'strict',
      '`result` must be the string that the node returned: 0x and hexadecimal digits.',
    )
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

/** Expected type of each member, because the request may be untrusted JSON. A type with `?` is optional. */
const memberTypes: Readonly<Record<keyof PreparedRequest.PreparedRequest, string>> = {
  schema: 'number',
  protocolVersion: 'string',
  chain: 'number',
  in: 'string',
  out: 'string',
  amountIn: 'string?',
  amountOut: 'string?',
  recipient: 'string?',
  sender: 'string?',
  slippageBps: 'number?',
  deadlineSec: 'number',
  exact: 'boolean',
  gasPrice: 'string',
  connectors: 'string?',
  pools: 'string?',
  excludeSources: 'string?',
  overrides: 'object?',
  signature: 'string?',
  integrator: 'string?',
  integratorFeeBps: 'number?',
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
  if (!(error instanceof PreparedRequest.NotPreparedError)) return resultError(error)
  return new InvalidParameterError(error.message, {
    code: 'bad_request',
    cause: error,
    details: [{ field: 'request', code: 'bad_request', reason: error.message }],
  })
}
