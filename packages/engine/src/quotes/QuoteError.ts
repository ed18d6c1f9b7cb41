import { BaseError, type Plan, type QuoteRequest, type Refusal } from '@sluice/domain'
import type { Block } from '../heads/Head.js'

/** Why there is no quote. */
export type QuoteErrorCode =
  | 'bad_in'
  | 'bad_out'
  | 'no_route'
  | 'rpc_unreachable'
  | 'rpc_stale'
  | 'overloaded'

/** Thrown if there is no quote. Contains neither a node's URL nor its text. */
export class QuoteError extends BaseError {
  override readonly name = 'QuoteError'
  override readonly code: QuoteErrorCode
  /** Number of nodes that were asked. */
  readonly rpcTried: number
  readonly details: readonly Refusal.Detail[]
  /** The route whose dry run failed. */
  readonly route: Plan.Route | undefined
  /** The call without a quote, if the chain answered it: its request with the gas price and hints, and the block. */
  readonly asked: QuoteError.Asked | undefined

  constructor(code: QuoteErrorCode, shortMessage: string, options: QuoteError.Options) {
    super(shortMessage, { code })
    this.code = code
    this.rpcTried = options.rpcTried
    this.details = options.details ?? []
    this.route = options.route
    this.asked = options.asked
  }
}

export declare namespace QuoteError {
  type Options = {
    rpcTried: number
    details?: readonly Refusal.Detail[] | undefined
    route?: Plan.Route | undefined
    asked?: Asked | undefined
  }
  type Asked = { readonly request: QuoteRequest.QuoteRequest; readonly block: Block }
}
