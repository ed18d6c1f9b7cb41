import { type Address, type Hex, sha256, stringToBytes } from 'viem'
import type * as Tokens from '../chains/Tokens.js'
import * as PlanCall from '../plan/PlanCall.js'
import type * as Registry from '../registry/Registry.js'
import { BaseError } from '../values/Errors.js'
import * as Overrides from './Overrides.js'
import * as QuoteParameters from './QuoteParameters.js'
import type * as QuoteRequest from './QuoteRequest.js'

/** Version of this format. */
export const schema = 1
/** Time for which a prepared request can be decoded. Enough for a slow node and a manual call, before the price changes. */
export const validForMs = 120_000
/** Maximum difference between the clocks of two instances of the service. */
export const maxClockSkewMs = 30_000

/**
 * A prepared request, as prepare returns it and decode takes it back: every quote parameter in normalized form, two times,
 * and a digest of all of them and the call. Decode trusts nothing in it, and derives the call from the parameters again.
 */
export type PreparedRequest = {
  readonly schema: typeof schema
  readonly protocolVersion: string
  /** Chain id. */
  readonly chain: number
  /** Token address, or `ETH` for the native coin. */
  readonly in: string
  readonly out: string
  /** Absent if an output is asked for. */
  readonly amountIn?: string | undefined
  readonly amountOut?: string | undefined
  readonly recipient?: Address | undefined
  readonly sender?: Address | undefined
  readonly slippageBps?: number | undefined
  readonly deadlineSec: number
  readonly exact: boolean
  readonly gasPrice: string
  /** Comma-separated. */
  readonly connectors?: string | undefined
  /** Comma-separated. */
  readonly pools?: string | undefined
  /** Numbers of the venues that the route may not use, comma-separated. */
  readonly excludeSources?: string | undefined
  /** Changes to the chain's state that the call contains. */
  readonly overrides?: Overrides.Overrides | undefined
  readonly signature?: QuoteRequest.Signature | undefined
  readonly integrator?: Address | undefined
  readonly integratorFeeBps?: number | undefined
  /** Unix milliseconds. */
  readonly preparedAt: number
  /** Unix milliseconds; decode rejects the request after this time. */
  readonly expiresAt: number
  readonly digest: Hex
}

/** SHA-256 of an ASCII string. */
export type Hash = (text: string) => Hex

/** Portable implementation. Programs can pass a native one, which is several times as fast. */
export const defaultHash: Hash = (text) => sha256(stringToBytes(text))

/**
 * Builds the prepared request of a quote request.
 *
 * @param options.preparedAt Unix milliseconds.
 * @param options.hash Another implementation of SHA-256.
 */
export function from(
  request: QuoteRequest.QuoteRequest,
  options: { call: PlanCall.Call; preparedAt: number; hash?: Hash | undefined },
): PreparedRequest {
  const { call, hash = defaultHash, preparedAt } = options
  const { chain, connectors, integratorFee, pools, recipient, sender, signature } = request
  const { slippageBps } = request
  const expiresAt = preparedAt + validForMs
  const digested = digestedText(request, call)
  return {
    schema,
    protocolVersion: chain.version,
    chain: chain.chainId,
    in: nameOf(request.tokenIn),
    out: nameOf(request.tokenOut),
    ...(request.amountOut === undefined
      ? { amountIn: request.amountIn.toString() }
      : { amountOut: request.amountOut.toString() }),
    ...(recipient !== undefined && { recipient }),
    ...(sender !== undefined && { sender }),
    ...(slippageBps !== undefined && { slippageBps }),
    deadlineSec: request.deadlineSec,
    exact: request.isExact,
    gasPrice: request.gasPrice.toString(),
    ...(connectors.length > 0 && { connectors: connectors.join(',') }),
    ...(pools && { pools: pools.join(',') }),
    ...(request.excludedVenues && { excludeSources: request.excludedVenues.join(',') }),
    ...(request.overrides && { overrides: request.overrides }),
    ...(signature !== undefined && { signature }),
    ...(integratorFee !== undefined && {
      integrator: integratorFee.integrator,
      integratorFeeBps: integratorFee.bps,
    }),
    preparedAt,
    expiresAt,
    digest: hash(`${digested}${preparedAt}|${expiresAt}`),
  }
}

/**
 * Validates a prepared request and returns its quote request.
 *
 * @param options.now Unix milliseconds.
 * @throws NotPreparedError if prepare did not return it, or if it has expired.
 */
export function open(
  registry: Registry.Registry,
  prepared: PreparedRequest,
  options: { now: number; hash?: Hash | undefined },
): QuoteRequest.QuoteRequest {
  const request = read(registry, prepared)
  const { expiresAt, preparedAt } = prepared
  const again = from(request, { call: PlanCall.of(request), preparedAt, hash: options.hash })
  if (again.digest !== prepared.digest || again.expiresAt !== expiresAt)
    throw new NotPreparedError('its digest does not match its parameters; send it unchanged')
  if (preparedAt > options.now + maxClockSkewMs)
    throw new NotPreparedError('its `preparedAt` is in the future')
  if (options.now > expiresAt)
    throw new NotPreparedError(`it expired at ${expiresAt} (unix milliseconds); prepare it again`)
  return request
}

function nameOf({ address, isNative }: Tokens.Token): string {
  return isNative ? 'ETH' : address
}

/**
 * Text that is digested, without the times: the version of the format, the chain, the whole call and all parameters, each at
 * its own position, empty if absent. The call contains the tokens, the amount, the gas price and the hints, but not the state.
 */
function digestedText(
  request: QuoteRequest.QuoteRequest,
  { data, gas, to }: PlanCall.Call,
): string {
  const { chain, deadlineSec, isExact, recipient, slippageBps, tokenIn, tokenOut } = request
  const { integratorFee, overrides, sender, signature } = request
  const names = `${tokenIn.isNative ? 'ETH' : ''}|${tokenOut.isNative ? 'ETH' : ''}`
  // With a recipient, `exact` does not change the call.
  const grade = isExact ? '|exact' : ''
  const payer = sender === undefined ? '' : `|${sender}|${signature ?? ''}`
  const fee = integratorFee === undefined ? '' : `|${integratorFee.integrator}|${integratorFee.bps}`
  // Starts with a brace, as no other part does.
  const state = overrides === undefined ? '' : `|${Overrides.textOf(overrides)}`
  const bounds = `${recipient ?? ''}|${slippageBps ?? ''}|${deadlineSec}${grade}${payer}${fee}${state}`
  return `${schema}|${chain.version}|${chain.chainId}|${to}|${data}|${gas}|${names}|${bounds}|`
}

function read(registry: Registry.Registry, prepared: PreparedRequest): QuoteRequest.QuoteRequest {
  if (prepared.schema !== schema) throw new NotPreparedError(`its \`schema\` is not ${schema}`)
  const parsed = QuoteParameters.parse(registry, givenOf(prepared))
  if (parsed.ok) return parsed.request
  const { field, reason } = parsed.problems[0]!
  const member = field === 'version' ? 'protocolVersion' : field
  throw new NotPreparedError(`its \`${member}\` ${reason}`)
}

/** Quote parameters of a prepared request. */
function givenOf(prepared: PreparedRequest): QuoteParameters.Given {
  const { chain, connectors, deadlineSec, exact, protocolVersion, slippageBps } = prepared
  const { amountIn, amountOut, gasPrice, recipient, sender, signature } = prepared
  const { excludeSources, integrator, integratorFeeBps, overrides, pools } = prepared
  const texts: { [name in QuoteParameters.Name]?: string | undefined } = {
    chain: String(chain),
    in: prepared.in,
    out: prepared.out,
    ...{ amountIn, amountOut, gasPrice, recipient, sender, signature, connectors, integrator },
    excludeSources,
    overrides: overrides && JSON.stringify(overrides),
    pools,
    integratorFeeBps: integratorFeeBps?.toString(),
    slippageBps: slippageBps?.toString(),
    deadlineSec: String(deadlineSec),
    exact: exact ? '1' : undefined,
    version: protocolVersion,
  }
  return new Map(
    Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, { text }]])),
  )
}

/** Thrown if prepare did not return the request, or if it has expired. */
export class NotPreparedError extends BaseError {
  override readonly name = 'PreparedRequest.NotPreparedError'
  constructor(reason: string) {
    super(`\`request\` is not a valid prepared request: ${reason}.`, {
      code: 'bad_request',
    })
  }
}
