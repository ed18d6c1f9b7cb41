import * as Quote from '../quote/Quote.js'
import type { Registry } from '../registry/Registry.js'
import * as PreparedRequest from '../request/PreparedRequest.js'
import * as NodeResult from './NodeResult.js'

/** The checks that a decoded response has passed. */
export type Integrity = { readonly [check in NodeResult.Check]: true }

/**
 * Turns a node's result for a prepared request into a quote. Builds the calldata itself, and makes no call.
 *
 * @throws PreparedRequest.NotPreparedError, NodeResult.BadResultError
 * @throws NodeResult.NoQuoteError if the result is valid and has no route.
 */
export function from(registry: Registry, parameters: from.Parameters): DecodedQuote {
  const { hash, now, prepared } = parameters
  const request = PreparedRequest.open(registry, prepared, { now, hash })
  const { dryRun, plan } = NodeResult.read(request, parameters)
  const quote = Quote.from(request, plan, { dryRun, now: BigInt(Math.floor(now / 1_000)) })
  return { quote, integrity: { bound: true, strict: true, arithmetic: true, witness: true } }
}

/** A quote decoded from a node's response, with the checks that it has passed. */
export type DecodedQuote = { readonly quote: Quote.Quote; readonly integrity: Integrity }

export declare namespace from {
  type Parameters = NodeResult.read.Options & {
    prepared: PreparedRequest.PreparedRequest
    /** Unix milliseconds. */
    now: number
    hash?: PreparedRequest.Hash | undefined
  }
}
