import { BaseError } from '@sluice/domain'

/**
 * Why a range of logs could not be read.
 *
 * - `refused`: the node wants a smaller request.
 * - `inconsistent`: its answers contradict each other or do not match the request.
 * - `moved`: the chain was reorganized between two answers, or the node no longer has a block.
 * - `rate_limited`: the node wants fewer requests.
 * - `unreachable`: the node gave no usable answer.
 */
export type LogsFault = 'refused' | 'inconsistent' | 'moved' | 'rate_limited' | 'unreachable'

/** Thrown if a node's logs cannot be read or trusted. Contains nothing that the node sent. */
export class LogsError extends BaseError {
  override readonly name = 'LogsError'
  readonly fault: LogsFault
  constructor(fault: LogsFault, message: string) {
    super(message, { code: `logs_${fault}` })
    this.fault = fault
  }
}
