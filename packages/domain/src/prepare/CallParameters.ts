import { type Hex, numberToHex } from 'viem'
import * as PlanCall from '../plan/PlanCall.js'
import { merged, type StateOverride } from '../registry/StateOverride.js'
import type { QuoteRequest } from '../request/QuoteRequest.js'

/** Parameters of an `eth_call` without a state override. */
export type Plain = readonly [Pick<PlanCall.Call, 'to' | 'data' | 'gas'>, block: 'latest' | Hex]

/**
 * The third parameter is present if the chain has no deployment, if the request is for a state of the caller's, or if the call
 * brings input tokens along.
 */
export type CallParameters = Plain | readonly [...Plain, StateOverride]

/** Parameters of the `eth_call` that computes the quote of a request. */
export function of(request: QuoteRequest, options: of.Options = {}): CallParameters {
  const { blockNumber, funds, gas } = options
  const override = merged(request.overrides, request.chain.stateOverride, funds)
  const call = PlanCall.of(request)
  const sent = gas === undefined ? call : { ...call, gas }
  const plain = plainOf(sent, blockNumber === undefined ? 'latest' : numberToHex(blockNumber))
  return override === undefined ? plain : [...plain, override]
}

export declare namespace of {
  type Options = {
    /** Block of the call. @default the latest block of the node */
    blockNumber?: number | undefined
    /** State override that gives the Quoter the input tokens of a dry run. */
    funds?: StateOverride | undefined
    /** Gas of the call. @default `PlanCall.readersGas`, which every node accepts */
    gas?: Hex | undefined
  }
}

/** Parameters of a call, without a state override. */
export function plainOf({ data, gas, to }: PlanCall.Call, block: 'latest' | Hex): Plain {
  return [{ to, data, gas }, block]
}
