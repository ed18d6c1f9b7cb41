import type { Failure } from '@sluice/rpc'

/** Failures that no state override can cause. */
const usual: ReadonlySet<Failure> = new Set([
  'rate_limited',
  'timeout',
  'connect',
  'cancelled',
  'not_ready',
  'wrong_block',
  'moved',
  'wrong_chain',
  'gas_cap',
  'stale',
])

/** The failure of a call with a state that its caller chose: one that this state may have caused is not the node's fault. */
export function foreignFailure(failure: Failure): Failure {
  return usual.has(failure) ? failure : 'overrides_refused'
}
