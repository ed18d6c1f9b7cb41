import { Preparation } from '@sluice/domain'
import type { QuoteParameters } from '../parameters.js'
import type { PreparedQuote } from '../wire.js'
import type { Registry } from './registry.js'
import { resolveRequest } from './resolveRequest.js'

/** The trusted addresses, and the time of preparation. */
export type PrepareOptions = {
  registry: Registry
  /** Unix milliseconds. @default the clock */
  now?: number | undefined
}

/**
 * Returns the `eth_call` that computes a quote, as `prepareQuote` does, but without the service.
 *
 * @throws InvalidParameterError for the first invalid parameter.
 */
export function prepare(parameters: QuoteParameters, options: PrepareOptions): PreparedQuote {
  const { now = Date.now(), registry } = options
  const request = resolveRequest(registry, parameters)
  return Preparation.from(request, { preparedAt: now }) as PreparedQuote
}
