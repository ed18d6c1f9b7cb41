import { BaseError } from '@sluice/domain'

export type QuoteErrorCode =
  | 'bad_in'
  | 'bad_out'
  | 'no_route'
  | 'rpc_unreachable'
  | 'rpc_stale'
  | 'overloaded'

/** Why there is no quote. Holds nothing of a node's address or words. */
export class QuoteError extends BaseError {
  override readonly name = 'QuoteError'
  override readonly code: QuoteErrorCode
  /** Nodes that were asked. */
  readonly rpcTried: number

  constructor(code: QuoteErrorCode, shortMessage: string, options: QuoteError.Options) {
    super(shortMessage, { code })
    this.code = code
    this.rpcTried = options.rpcTried
  }
}

export declare namespace QuoteError {
  type Options = { rpcTried: number }
}
