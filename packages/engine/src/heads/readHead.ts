import { type Failure, isAnswer, type RpcOutcome } from '@sluice/rpc'
import type { ChainState } from '../ChainState.js'
import { type Head, parseHead } from './Head.js'

/**
 * How far a block's timestamp may be ahead of our clock, in milliseconds. Beyond that the node is lying or its clock is
 * wrong.
 */
const maxAheadMs = 15_000

/**
 * Returns the header in a node's answer, or a failure if it cannot be the chain's latest.
 *
 * @param now Unix milliseconds.
 */
export function readHead(
  state: ChainState,
  outcome: RpcOutcome,
  now: number,
): Head | { failure: Failure } {
  if (!outcome.ok) return { failure: isAnswer(outcome.failure) ? 'bad_response' : outcome.failure }
  const head = parseHead(outcome.result)
  if (head === undefined) return { failure: 'bad_response' }
  const ageMs = now - Number(head.timestamp) * 1_000
  if (state.maxBlockAgeMs === undefined) return head
  if (ageMs > state.maxBlockAgeMs) return { failure: 'stale' }
  return ageMs < -maxAheadMs ? { failure: 'wrong_block' } : head
}
