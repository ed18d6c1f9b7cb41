import { BaseError } from '@sluice/domain'

/**
 * Why a range of logs was not read.
 *
 * - `refused`: the node wants to be asked for less.
 * - `inconsistent`: what it answers contradicts itself, or is not what was asked for.
 * - `moved`: the chain was reorganised between two answers, or the node does not know a block any more.
 * - `rate_limited`: the node wants to be left alone.
 * - `unreachable`: it gave no answer.
 */
export type LogsFault = 'refused' | 'inconsistent' | 'moved' | 'rate_limited' | 'unreachable'

/** Thrown when a node's logs cannot be had, or not be believed. Holds nothing that the node said. */
export class LogsError extends BaseError {
  override readonly name = 'LogsError'
  readonly fault: LogsFault
  constructor(fault: LogsFault, message: string) {
    super(message, { code: `logs_${fault}` })
    this.fault = fault
  }
}
